// Package conformance holds arrowagg's promises against other implementations,
// in tests only:
//
//	arrowagg --sql  ──►  DuckDB, DataFusion   the same rows in the same order
//	arrowagg -f …   ──►  Arrow C++ (pyarrow), arrow-rs (DataFusion),
//	                     polars-arrow, ClickHouse   valid, and the same values
//	kubernetes.yaml ──►  Kubernetes' own types      no field that they lack
//
// Known to differ, and so left out of the random plans: DuckDB says that a NaN
// alone varies by 0 (arrowagg: NaN), and refuses the variance of several;
// DataFusion's grouped max passes over NaN, and its percentile_cont keeps six
// digits of the way between two values. An infinite value beside a finite one
// gives DuckDB's quantiles NaN on one side and infinity on the other; here the
// infinite one wins on both.
//
// The engines live in one Python process for all tests (engines.py, started by
// start), which is asked one JSON line at a time. Where ./setup.sh was not run
// the tests are skipped and say so. Random tables and plans come from a seed
// that every failure names; -seed repeats one.
package conformance
