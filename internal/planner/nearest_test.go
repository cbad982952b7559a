package planner

import "testing"

func TestNearest(t *testing.T) {
	columns := []string{"host", "minute", "bytes_sum", "lat_min", "lat_max", "größe", "k"}
	for word, want := range map[string]string{
		"hots": "host", "hosts": "host", "hst": "host", "Host": "host", "HOST": "host", "hxxt": "",
		"byte_sum": "bytes_sum", "bytes_smu": "bytes_sum", "bytessum": "bytes_sum", "BYTE_SUM": "bytes_sum",
		"lat_mxn": "lat_min", "lat_maxi": "lat_max", "grösse": "größe", "größer": "größe",
		"kk": "k", "completely_different": "", "": "", "ab": "",
	} {
		if got := Nearest(word, columns); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Nearest("X", []string{"y", "x", "X1"}); got != "x" {
		t.Errorf("case alone is nearer than an edit: got %q", got)
	}
}

// The distance against its definition: the cheapest way to rewrite one end.
func TestEditDistance(t *testing.T) {
	var slow func(a, b string) int
	slow = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		i, j := len(a)-1, len(b)-1
		d := slow(a[:i], b[:j])
		if a[i] != b[j] {
			d++
		}
		d = min(d, slow(a[:i], b)+1, slow(a, b[:j])+1)
		if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
			d = min(d, slow(a[:i-1], b[:j-1])+1)
		}
		return d
	}
	words := []string{"", "a", "ab", "ba", "abc", "acb", "bca", "abcab", "baacb", "ccc", "cabba"}
	for _, a := range words {
		for _, b := range words {
			if got, want := editDistance(a, b), slow(a, b); got != want {
				t.Errorf("editDistance(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}
