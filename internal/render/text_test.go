package render

import (
	"math"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
)

func TestTextOfEveryTypeAgreesWithTheOracle(t *testing.T) {
	r := seeded(t)
	for _, typ := range everyType {
		batch := randomBatch(r, schemaOf(typ), rounds(300), 0.1)
		a := batch.Column(0)
		c := bindColumn(a, -1)
		for row := range a.Len() {
			if null := a.DataType().ID() == arrow.NULL || a.IsNull(row); null != c.null(row) {
				t.Fatalf("%s row %d: null is %v", typ, row, c.null(row))
			} else if null {
				continue
			}
			if got, want := string(c.text([]byte("-"), row)), "-"+oracleText(a, row); got != want {
				t.Fatalf("%s row %d: got %q, want %q", typ, row, got, want)
			}
		}
	}
}

func TestFloatText(t *testing.T) {
	for v, want := range map[float64]string{
		1: "1.0", 0.1: "0.1", 1e17: "1e+17", 9e-6: "9e-06", 1e-5: "0.00001", 0: "0.0",
		math.Copysign(0, -1): "-0.0",
		99999999999999984:    "99999999999999980.0", 1e16: "10000000000000000.0", -2.5: "-2.5", 1e22: "1e+22",
		1.5e300: "1.5e+300", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308",
		math.Inf(1): "inf", math.Inf(-1): "-inf", 123456789.125: "123456789.125",
	} {
		if got := string(appendFloat(nil, v, -1, 64)); got != want {
			t.Errorf("%g: got %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float32]string{
		0.1: "0.1", 1e-5: "0.00001", 9.9e-6: "9.9e-06", 1e17: "1e+17",
		16777216: "16777216.0", 3.4028235e38: "3.4028235e+38",
	} {
		if got := string(appendFloat(nil, float64(v), -1, 32)); got != want {
			t.Errorf("float32 %g: got %s, want %s", v, got, want)
		}
	}
	if got := string(appendFloat(nil, math.NaN(), -1, 64)); got != "NaN" {
		t.Errorf("NaN: %s", got)
	}
}

func TestFloatDigits(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{
		{1, 2, "1.00"},
		{2.675, 2, "2.67"},
		{0.125, 2, "0.12"},
		{0.375, 2, "0.38"},
		{9e-6, 2, "0.00"},
		{-9e-6, 2, "-0.00"},
		{1e17, 2, "1.00e+17"},
		{123456, 0, "123456"},
		{0.5, 0, "0"},
		{1.5, 0, "2"},
		{math.Inf(1), 3, "inf"},
		{math.NaN(), 0, "NaN"},
		{1.7976931348623157e308, 1, "1.8e+308"},
		{5e-324, 3, "0.000"},
	} {
		if got := string(appendFloat(nil, c.v, c.digits, 64)); got != c.want {
			t.Errorf("%g to %d digits: got %s, want %s", c.v, c.digits, got, c.want)
		}
	}
}

// All 65,536 of them read back as themselves; every 17th is compared with the
// exhaustive search for the shortest digits.
func TestEveryFloat16(t *testing.T) {
	for bits := range 1 << 16 {
		v := oracleHalf(uint16(bits))
		if own := halfValue(uint16(bits)); own != v && !(math.IsNaN(own) && math.IsNaN(v)) ||
			math.Signbit(own) != math.Signbit(v) && !math.IsNaN(v) {
			t.Fatalf("%#04x: %g, want %g", bits, own, v)
		}
		got := string(appendFloat(nil, shortestHalf(v), -1, 64))
		if math.IsNaN(v) {
			if got != "NaN" {
				t.Fatalf("%#04x: %s", bits, got)
			}
			continue
		}
		read, err := strconv.ParseFloat(got, 64)
		if err != nil || !math.IsInf(v, 0) && nearestHalf(read) != v {
			t.Fatalf("%#04x = %g: %s reads back as %g (%v)", bits, v, got, nearestHalf(read), err)
		}
		if !testing.Short() && bits%17 == 0 {
			if want := oracleFloat(oracleHalfDigits(uint16(bits))); got != want {
				t.Fatalf("%#04x = %g: got %s, want %s", bits, v, got, want)
			}
		}
	}
}

// nearestHalf rounds to a float16 by searching for the closest, ties to even.
func nearestHalf(x float64) float64 {
	low, high := uint16(0), uint16(0x7bff)
	magnitude := math.Abs(x)
	for low < high {
		middle := (low + high + 1) / 2
		if oracleHalf(middle) <= magnitude {
			low = middle
		} else {
			high = middle - 1
		}
	}
	if low < 0x7bff {
		below, above := magnitude-oracleHalf(low), oracleHalf(low+1)-magnitude
		if above < below || above == below && low%2 == 1 {
			low++
		}
	}
	return math.Copysign(oracleHalf(low), x)
}

func TestDecimalText(t *testing.T) {
	smallest256 := decimal256.New(1<<63, 0, 0, 0)
	for _, c := range []struct {
		typ  arrow.DataType
		in   string
		want string
	}{
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, "-0.05", "-0.05"},
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, "0", "0.00"},
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, "12345678901234567.89", "12345678901234567.89"},
		{&arrow.Decimal256Type{Precision: 76, Scale: 0}, "-1", "-1"},
	} {
		b := array.NewBuilder(allocator, c.typ)
		if err := b.AppendValueFromString(c.in); err != nil {
			t.Fatal(err)
		}
		if got := string(bind(b.NewArray(), -1)(nil, 0)); got != c.want {
			t.Errorf("%s as %s: got %s, want %s", c.in, c.typ, got, c.want)
		}
	}
	for _, c := range []struct {
		m        magnitude
		negative bool
		scale    int
		want     string
	}{
		{magnitude{0}, false, -2, "0"},
		{magnitude{12}, false, -2, "1200"},
		{magnitude{1}, true, -2, "-100"},
		{magnitude{5}, false, 3, "0.005"},
		{magnitude{0}, false, 3, "0.000"},
		{magnitude{12345}, false, 5, "0.12345"},
		{magnitude{0, 1}, false, 0, "18446744073709551616"},
		{
			magnitude{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)},
			false, 1,
			"11579208923731619542357098500868790785326998466564056403945758400791312963993.5",
		},
		{magnitude{7}, true, math.MaxInt32, "-7e-2147483647"},
		{magnitude{7}, false, math.MinInt32, "7e2147483648"},
		{magnitude{0}, false, math.MaxInt32, "0e-2147483647"},
	} {
		if got := string(appendDecimal(nil, c.negative, c.m, c.scale)); got != c.want {
			t.Errorf("%v scale %d: got %s, want %s", c.m, c.scale, got, c.want)
		}
	}
	b := array.NewDecimal256Builder(allocator, &arrow.Decimal256Type{Precision: 76, Scale: 0})
	b.Append(smallest256)
	want := "-57896044618658097711785492504343953926634992332820282019728792003956564819968"
	if got := string(bind(b.NewArray(), -1)(nil, 0)); got != want {
		t.Errorf("smallest decimal256: got %s, want %s", got, want)
	}
}

func TestTypesWithoutText(t *testing.T) {
	list := arrow.NewSchema([]arrow.Field{{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int8)}}, nil)
	for _, f := range Formats {
		_, err := f.New(nil, list, asIs)
		if f.Binary != (err == nil) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
