// Package conformance holds arrowagg's promises against other implementations,
// in tests only:
//
//	arrowagg --sql  ──►  DuckDB, DataFusion   the same rows in the same order
//	arrowagg -f …   ──►  Arrow C++ (pyarrow), arrow-rs (DataFusion),
//	                     polars-arrow, ClickHouse   valid, and the same values
//	kubernetes.yaml ──►  Kubernetes' own types      no field that they lack
//
// The engines live in one Python process for all tests (engines.py, started by
// start), which is asked one JSON line at a time. Where ./setup.sh was not run
// the tests are skipped and say so. Random tables and plans come from a seed
// that every failure names; -seed repeats one.
package conformance
