// Package allowance finds how much memory this process may use: the least of
// what its control groups and the machine allow.
//
//	/proc/self/cgroup ──► every group from its own up to the root ──► memory.max  (v2)
//	                                                                  memory.limit_in_bytes (v1)
//	/proc/meminfo     ──► MemTotal
//
// A limit set on any ancestor binds, hence the walk. Where the system has no
// such files (not Linux), the answer is "unknown" and the caller decides.
package allowance
