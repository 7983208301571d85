"""The kinds of answers, one in each file: data and certificates."""

from zermelo.solutions.answers import Answer, Line
from zermelo.solutions.base import Solution
from zermelo.solutions.parity import ParitySolution
from zermelo.solutions.terminal import TerminalSolution

__all__ = ["Answer", "Line", "ParitySolution", "Solution", "TerminalSolution"]
