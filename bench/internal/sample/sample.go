// Package sample holds the few statistics that a comparison needs.
package sample

import (
	"math"
	"slices"
	"time"

	"arrowagg/bench/internal/measure"
)

// Runs are the runs of one engine on one query.
type Runs []measure.Usage

// Median of a figure over the runs; of an even number the mean of the middle two.
func Median[T ~int64](runs Runs, figure func(measure.Usage) T) T {
	values := make([]T, len(runs))
	for i, u := range runs {
		values[i] = figure(u)
	}
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}

// Wall, CPU, RSS and Anon are medians.
func (r Runs) Wall() time.Duration {
	return Median(r, func(u measure.Usage) time.Duration { return u.Wall })
}

func (r Runs) CPU() time.Duration {
	return Median(r, func(u measure.Usage) time.Duration { return u.CPU() })
}

func (r Runs) RSS() int64 { return Median(r, func(u measure.Usage) int64 { return u.PeakRSS }) }

func (r Runs) Anon() int64 { return Median(r, func(u measure.Usage) int64 { return u.PeakAnon }) }

// Spread is the largest wall time over the smallest: 1 on a quiet machine.
func (r Runs) Spread() float64 {
	if len(r) == 0 {
		return 1
	}
	walls := make([]time.Duration, len(r))
	for i, u := range r {
		walls[i] = u.Wall
	}
	return float64(slices.Max(walls)) / float64(slices.Min(walls))
}

// GeometricMean of ratios, NaN of none.
func GeometricMean(ratios []float64) float64 {
	var sum float64
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}
