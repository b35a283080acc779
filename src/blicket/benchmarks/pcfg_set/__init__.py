"""PCFG SET (Hupkes et al. 2020): five tests of compositionality on string edit operations."""

from blicket.benchmarks.pcfg_set.benchmark import PcfgSet

__all__ = ["PcfgSet"]
