"""The benchmarks, one folder a paper."""
