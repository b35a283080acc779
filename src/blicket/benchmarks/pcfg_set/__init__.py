"""PCFG SET (Hupkes et al. 2020): five tests of compositionality on string edit operations."""




