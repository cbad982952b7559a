//go:build !unix

package groupby

func cpuSeconds() float64 { return 0 }
