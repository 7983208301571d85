"""The modal μ-calculus on a graph: formulas, and the positions where they hold."""

from zermelo.mu_calculus.evaluation import evaluate
from zermelo.mu_calculus.syntax import Formula, parse

__all__ = ["Formula", "evaluate", "parse"]
