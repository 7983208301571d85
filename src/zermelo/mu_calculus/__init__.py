"""The modal μ-calculus and CTL on a graph: formulas, where they hold, and why."""

from zermelo.mu_calculus.evaluation import evaluate
from zermelo.mu_calculus.syntax import Formula, parse
from zermelo.mu_calculus.witness import Witness, witness

__all__ = ["Formula", "Witness", "evaluate", "parse", "witness"]
