package planner

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// none marks types that do not go together.
const none = "none"

// reconcileCases is the table of the specification, row by row: types that a
// column has in the inputs, what it becomes as a key, and what as an argument
// of max.
var reconcileCases = []struct{ types, key, argument string }{
	// one input, or all alike
	{"int8", "int8", "int8"},
	{"utf8; utf8", "utf8", "utf8"},
	{"large_utf8", "utf8", "utf8"},
	{"dictionary<int8, int32>", "int32", "int32"},
	{"run_end_encoded<int32, timestamp[s]>", "timestamp[s]", "timestamp[s]"},
	{"large_binary", "large_binary", "large_binary"},
	{"date64", "date64", "date64"},
	{"float16", "float16", "float16"},
	{"decimal32(9, 2)", "decimal32(9, 2)", "decimal32(9, 2)"},
	{"fixed_size_binary(4)", "fixed_size_binary(4)", "fixed_size_binary(4)"},

	// string encoding
	{"utf8; large_utf8", "utf8", "utf8"},
	{"utf8_view; dictionary<int32, utf8>; run_end_encoded<int16, large_utf8>", "utf8", "utf8"},
	{"extension<arrow.json, utf8>; utf8", "utf8", "utf8"},
	{"binary; binary_view", "binary", "binary"},
	{"large_binary; large_binary; binary_view", "binary", "binary"},

	// integer width, and signedness
	{"int8; int32", "int32", "int32"},
	{"int8; int16; int64", "int64", "int64"},
	{"uint8; uint16", "uint16", "uint16"},
	{"uint32; uint64", "uint64", "uint64"},
	{"int8; uint8", "int64", "int64"},
	{"int64; uint64", "int64", "int64"},
	{"int8; uint8; uint16", "int64", "int64"},
	{"int32; dictionary<int8, int64>", "int64", "int64"},

	// integer with decimal
	{"int64; decimal128(10, 2)", "decimal128(38, 2)", "decimal128(38, 2)"},
	{"uint64; decimal32(5, 0)", "decimal128(38, 0)", "decimal128(38, 0)"},
	{"int8; decimal256(50, 3)", "decimal256(76, 3)", "decimal256(76, 3)"},
	{"int8; decimal64(12, 2); decimal256(50, 2)", "decimal256(76, 2)", "decimal256(76, 2)"},
	{"int8; uint8; decimal64(12, 2)", "decimal128(38, 2)", "decimal128(38, 2)"},

	// integer with float
	{"int64; float64", none, "float64"},
	{"int8; float32", none, "float64"},
	{"uint64; int8; float16", none, "float64"},

	// float width; decimal precision
	{"float16; float32", "float32", "float32"},
	{"float32; float64", "float64", "float64"},
	{"float16; float64; float32", "float64", "float64"},
	{"decimal128(10, 2); decimal128(20, 2)", "decimal128(20, 2)", "decimal128(20, 2)"},
	{"decimal32(9, 2); decimal64(12, 2)", "decimal64(12, 2)", "decimal64(12, 2)"},
	{"decimal256(40, 2); decimal128(38, 2)", "decimal256(40, 2)", "decimal256(40, 2)"},
	{"decimal128(10, 2); decimal128(10, 3)", none, none},
	{"decimal128(10, 2); decimal64(10, 0); int8", none, none},

	// units
	{"timestamp[s]; timestamp[ms]", "timestamp[ms]", "timestamp[ms]"},
	{"timestamp[us]; timestamp[ns]; timestamp[s]", "timestamp[ns]", "timestamp[ns]"},
	{"time32[s]; time32[ms]", "time32[ms]", "time32[ms]"},
	{"time32[s]; time64[us]", "time64[us]", "time64[us]"},
	{"time64[us]; time64[ns]; time32[ms]", "time64[ns]", "time64[ns]"},
	{"duration[s]; duration[us]", "duration[us]", "duration[us]"},
	{"date32; date64", "date32", "date32"},

	// zones
	{"timestamp[s, UTC]; timestamp[ms, UTC]", "timestamp[ms, UTC]", "timestamp[ms, UTC]"},
	{"timestamp[s, Europe/Berlin]; timestamp[s, Europe/Berlin]", "timestamp[s, Europe/Berlin]", "timestamp[s, Europe/Berlin]"},
	{"timestamp[s, Europe/Berlin]; timestamp[s, Asia/Tokyo]", "timestamp[s, UTC]", "timestamp[s, UTC]"},
	{"timestamp[s, Europe/Berlin]; timestamp[ms, UTC]; timestamp[s, Europe/Berlin]", "timestamp[ms, UTC]", "timestamp[ms, UTC]"},
	{"timestamp[s, Etc/UTC]; timestamp[s, Z]; timestamp[s, +00:00]", "timestamp[s, UTC]", "timestamp[s, UTC]"},
	{"timestamp[s, Zulu]", "timestamp[s, UTC]", "timestamp[s, UTC]"},
	{"timestamp[s, +01:00]; timestamp[s, +01:00]", "timestamp[s, +01:00]", "timestamp[s, +01:00]"},
	{"timestamp[s, UTC]; timestamp[s]", none, none},
	{"timestamp[s]; timestamp[s, Europe/Berlin]; timestamp[s, UTC]", none, none},

	// null with any
	{"null; utf8", "utf8", "utf8"},
	{"null; int8; int16", "int16", "int16"},
	{"null; null; timestamp[s, UTC]", "timestamp[s, UTC]", "timestamp[s, UTC]"},

	// any other pair
	{"utf8; int64", none, none},
	{"utf8; binary", none, none},
	{"binary; fixed_size_binary(4)", none, none},
	{"fixed_size_binary(4); fixed_size_binary(8)", none, none},
	{"bool; int8", none, none},
	{"extension<arrow.bool8, int8>; bool", "bool", "bool"},
	{"extension<arrow.bool8, int8>; int8", none, none},
	{"date32; timestamp[s]", none, none},
	{"time32[s]; timestamp[s]", none, none},
	{"time32[s]; duration[s]", none, none},
	{"duration[s]; int64", none, none},
	{"float64; decimal128(10, 2)", none, none},
	{"int64; float64; decimal128(10, 2)", none, none},
	{"utf8; null; date32", none, none},
	{"bool; bool; utf8", none, none},
}

// Each row holds in every order of its inputs.
func TestReconcile(t *testing.T) {
	for _, c := range reconcileCases {
		for _, use := range []struct {
			name, want string
			flags      Flags
		}{
			{"key", c.key, Flags{GroupBy: []string{"x"}}},
			{"argument", c.argument, Flags{GroupBy: []string{"k"}, Aggregates: []string{"max(x)"}}},
		} {
			var list []Source
			for i, dt := range strings.Split(c.types, "; ") {
				list = append(list, source(string(rune('a'+i)), "k utf8 | x "+dt))
			}
			permutations(list, func(s []Source) {
				p, _, err := mustParse(t, use.flags).Bind(s)
				got := none
				if err == nil {
					got = typeName(p.types[p.catalog.byName["x"]])
				}
				if got != use.want {
					t.Errorf("%s as %s: %s, want %s (%v)", c.types, use.name, got, use.want, err)
				}
			})
		}
	}
}

// The types that random columns are made of.
var someTypes = strings.Split("null; bool; int8; int16; int64; uint8; uint64; float16; float32; float64; "+
	"decimal32(5, 2); decimal128(10, 2); decimal128(10, 0); decimal256(50, 2); utf8; utf8_view; dictionary<int8, utf8>; "+
	"binary; large_binary; fixed_size_binary(2); date32; date64; time32[s]; time64[ns]; timestamp[s]; timestamp[ns]; "+
	"timestamp[s, UTC]; timestamp[ms, Z]; timestamp[us, Asia/Tokyo]; duration[s]; duration[ns]; interval[months]", "; ")

// Whatever the types are, the order of the inputs does not matter, repeating
// one changes nothing, and a conflict stays one when inputs are added. Results
// that go in again settle the same types: merging is closed.
func TestReconcileProperties(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	resolve := func(isKey bool, types ...arrow.DataType) string {
		var c common
		for _, dt := range types {
			c.add(valueType(arrow.Field{Type: dt}))
		}
		dt, ok := c.resolve(isKey)
		if !ok {
			return none
		}
		return typeName(dt)
	}
	for range 20000 {
		var types []arrow.DataType
		for range 1 + rng.IntN(4) {
			types = append(types, parseType(t, someTypes[rng.IntN(len(someTypes))]))
		}
		isKey := rng.IntN(2) == 0
		want := resolve(isKey, types...)

		shuffled := slices.Clone(types)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		shuffled = append(shuffled, shuffled[0])
		if got := resolve(isKey, shuffled...); got != want {
			t.Fatalf("%v: %s, but %v: %s", types, want, shuffled, got)
		}
		head := resolve(isKey, types[:len(types)-1]...)
		if head == none {
			if want != none {
				t.Fatalf("%v: conflict, but with one more %s", types, want)
			}
			continue
		}
		// The result of the first inputs, merged with the last one. That an
		// integer was among them no longer shows beside a decimal256.
		again := resolve(isKey, parseType(t, head), types[len(types)-1])
		if again != want && !strings.Contains(want, "decimal256") {
			t.Fatalf("%v: %s at once, %s in two steps over %s", types, want, again, head)
		}
	}
}

func parseType(t *testing.T, text string) arrow.DataType {
	t.Helper()
	dt, err := arrowtest.ParseType(text)
	if err != nil {
		t.Fatal(err)
	}
	return dt
}

func TestZones(t *testing.T) {
	for zone, want := range map[string]string{
		"UTC": "UTC", "utc": "UTC", "Etc/UTC": "UTC", "Z": "UTC", "z": "UTC", "+00:00": "UTC", "-00:00": "UTC", "Zulu": "UTC",
		"": "", "GMT": "UTC", "+01:00": "+01:00", "Europe/London": "Europe/London", "+00:01": "+00:01",
	} {
		if got := normalZone(zone); got != want {
			t.Errorf("%q: %q, want %q", zone, got, want)
		}
	}
}
