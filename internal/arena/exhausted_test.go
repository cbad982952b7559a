package arena

import (
	"errors"
	"testing"
)

// more than any system can map
const tooMuch = 1 << 50

func TestExhausted(t *testing.T) {
	var a Arena
	defer a.Close()
	a.Put(a.Get(3 * Page))
	defer func() {
		e, ok := recover().(*Exhausted)
		if !ok || e.Bytes < tooMuch || e.Cause == nil || errors.Unwrap(e) != e.Cause || !e.Limit() {
			t.Errorf("Get panicked with %v", e)
		}
		if a.Held() != 0 {
			t.Errorf("%d bytes were kept while memory was wanting", a.Held())
		}
	}()
	a.Get(tooMuch)
}

func TestWhenExhausted(t *testing.T) {
	defer exhausted.Store(nil)
	WhenExhausted(func(e *Exhausted) { panic("told") })
	defer func() {
		if told := recover(); told != "told" {
			t.Errorf("%v instead", told)
		}
	}()
	new(Arena).Get(tooMuch)
}
