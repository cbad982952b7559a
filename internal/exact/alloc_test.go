package exact

import "testing"

// TestNothingAllocates: the engine calls these per row or per group.
func TestNothingAllocates(t *testing.T) {
	var sum, other Sum
	var products ProductSum
	var hi, lo float64
	wire := make([]byte, 0, MaxSumBinary+MaxProductSumBinary)
	text := make([]byte, 0, 100)
	a, b := Int128{Hi: 1 << 40, Lo: 7}, Int256{1, 2, 3, 4}
	var sink float64
	for name, f := range map[string]func(){
		"AddPair":     func() { hi, lo, _ = AddPair(hi, lo, 1e-300); hi, lo, _ = AddPair(hi, lo, 1e300) },
		"MergePair":   func() { hi, lo, _ = MergePair(hi, lo, 1, 0x1p-80) },
		"Add":         func() { sum.Add(1e300); sum.Add(3e-310) },
		"AddInt128":   func() { sum.AddInt128(a) },
		"Merge":       func() { other.Merge(&sum) },
		"Round":       func() { sink += sum.Round() },
		"Pair":        func() { sum.Pair() },
		"IsZero":      func() { sum.IsZero() },
		"AddProduct":  func() { products.AddProduct(1e300, -1e-300) },
		"RoundP":      func() { sink += products.Round() },
		"Binary":      func() { wire = products.AppendBinary(sum.AppendBinary(wire[:0])) },
		"Int128":      func() { a, _ = a.AddInt64(-3); sink += a.Float64() + a.Float64Scaled(5) },
		"Int256":      func() { b, _ = b.Sub(Int256FromInt128(a)); sink += b.Float64() + b.Float64Scaled(70) },
		"FarScale":    func() { sink += b.Float64Scaled(300) + b.Float64Scaled(-300) },
		"AppendText":  func() { text = b.AppendText(text[:0]) },
		"FitsDecimal": func() { a.FitsDecimal(38); b.FitsDecimal(76); b.MulPow10(30) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	wire = sumOf(1, 1e100).AppendBinary(wire[:0])
	if n := testing.AllocsPerRun(100, func() { sum, _ = DecodeSum(wire) }); n != 0 {
		t.Errorf("DecodeSum allocates %v times", n)
	}
}
