"""COGS (Kim & Linzen 2020): does a learner interpret familiar parts in new combinations?"""

from blicket.benchmarks.cogs.benchmark import Cogs

__all__ = ["Cogs"]
