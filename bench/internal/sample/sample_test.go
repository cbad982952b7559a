package sample

import (
	"math"
	"testing"
	"time"

	"arrowagg/bench/internal/measure"
)

func walls(seconds ...int) Runs {
	var r Runs
	for _, s := range seconds {
		r = append(r, measure.Usage{Wall: time.Duration(s) * time.Second})
	}
	return r
}

func TestMedianAndSpread(t *testing.T) {
	for _, c := range []struct {
		runs   Runs
		median time.Duration
		spread float64
	}{
		{nil, 0, 1},
		{walls(3), 3 * time.Second, 1},
		{walls(9, 1, 2), 2 * time.Second, 9},
		{walls(4, 1, 2, 8), 3 * time.Second, 8},
	} {
		if m := c.runs.Wall(); m != c.median {
			t.Errorf("median %s, want %s", m, c.median)
		}
		if s := c.runs.Spread(); s != c.spread {
			t.Errorf("spread %g, want %g", s, c.spread)
		}
	}
}

func TestGeometricMean(t *testing.T) {
	if m := GeometricMean([]float64{0.5, 2, 1}); math.Abs(m-1) > 1e-12 {
		t.Errorf("%g, want 1", m)
	}
	if m := GeometricMean(nil); !math.IsNaN(m) {
		t.Errorf("%g of nothing", m)
	}
}
