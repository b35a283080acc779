"""Natural logic (Goodwin et al. 2020): do closed-class words keep their meanings beside words never met before?"""

from blicket.benchmarks.natural_logic.benchmark import NaturalLogic

__all__ = ["NaturalLogic"]
