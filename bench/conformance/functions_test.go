package conformance

import (
	"path/filepath"
	"testing"
)

// TestSQLOfFunctions asks for every aggregate whose SQL is not a plain name.
// first and last are not here: they need a table with a rowid, and inputs of
// tests are views.
func TestSQLOfFunctions(t *testing.T) {
	e := start(t)
	var workers []string
	for _, name := range []string{"w1", "w2", "w3"} {
		workers = append(workers, filepath.Join("..", "..", "testdata", "workers", name+".arrows"))
	}
	for name, c := range map[string]struct {
		aggregates  string
		approximate []string
	}{
		"variance": {
			"var_samp(lat_max) as a, var_pop(lat_max) as b, stddev_samp(bytes_sum) as c, stddev_pop(req_count) as d",
			[]string{"a", "b", "c", "d"},
		},
		"one value of a sample": {"var_samp(lat_max) as a, count(*)", []string{"a"}},
		"any value":             {"any_value(lat_min), any_value(service) as s", nil},
		"ratio":                 {"ratio(bytes_sum, req_count) as a, ratio(lat_max, req_count) as b", []string{"a", "b"}},
		"weighted mean":         {"weighted_mean(lat_max, req_count) as a", []string{"a"}},
		"arg":                   {"arg_min(service, lat_min), arg_max(lat_max, req_count), arg_max(req_count, service)", nil},
	} {
		for _, key := range []string{"host", "service", "host,service"} {
			t.Run(name+" by "+key, func(t *testing.T) {
				sameRows(t, e, plan{args: []string{"-g", key, "-a", c.aggregates}, approximate: c.approximate}, workers...)
			})
		}
	}
}
