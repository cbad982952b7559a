package main

import "testing"

// TestSignalsAreCaughtWhenSomethingIsLeft: once, and not before.
func TestSignalsAreCaughtWhenSomethingIsLeft(t *testing.T) {
	caught := 0
	left := newLeftovers()
	if left.catch == nil {
		t.Fatal("nothing catches signals")
	}
	removed := 0
	left = &leftovers{catch: func() { caught++ }}
	if left.outlive(); caught != 0 {
		t.Error("caught with nothing to remove")
	}
	left.add(func() { removed++ })
	if caught == 0 {
		t.Error("not caught though there is something to remove")
	}
	if left.remove(); removed != 1 {
		t.Errorf("removed %d times", removed)
	}
}
