package exact

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
)

// arrowReadsBig: arrow's FromBigInt takes a big.Int's words for 64 bits each.
const arrowReadsBig = bits.UintSize == 64

func bigInt128(a Int128) *big.Int { return bigInt256(Int256FromInt128(a)) }

func bigInt256(a Int256) *big.Int {
	n := big.NewInt(int64(a[3]))
	for i := 2; i >= 0; i-- {
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(a[i]))
	}
	return n
}

// int256Of is n, which must fit.
func int256Of(n *big.Int) (a Int256) {
	rest := new(big.Int).Mod(n, new(big.Int).Lsh(big.NewInt(1), 256))
	for i := range a {
		a[i] = new(big.Int).And(rest, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		rest.Rsh(rest, 64)
	}
	return a
}

// wrap is n modulo 2^size as a signed number, and whether that is not n.
func wrap(n *big.Int, size uint) (*big.Int, bool) {
	modulus := new(big.Int).Lsh(big.NewInt(1), size)
	w := new(big.Int).Mod(n, modulus)
	if w.Bit(int(size)-1) == 1 {
		w.Sub(w, modulus)
	}
	return w, w.Cmp(n) != 0
}

// word draws words with many bits, few bits, runs of ones or none.
func word(r *rand.Rand) uint64 {
	switch r.IntN(6) {
	case 0:
		return 0
	case 1:
		return math.MaxUint64
	case 2:
		return 1 << r.IntN(64)
	case 3:
		return 1<<r.IntN(64) - 1
	}
	return r.Uint64() >> r.IntN(64)
}

func randomInt128(r *rand.Rand) Int128 {
	v := Int128{Hi: int64(word(r)), Lo: word(r)}
	if r.IntN(3) == 0 {
		v.Hi = int64(v.Lo) >> 63
	}
	return v
}

func randomInt256(r *rand.Rand) Int256 {
	switch r.IntN(3) {
	case 0:
		return Int256FromInt128(randomInt128(r))
	case 1: // near a power of ten
		p := powersOfTen[r.IntN(maxPow10+1)]
		if r.IntN(2) == 0 {
			p, _ = p.Neg()
		}
		p, _ = p.AddInt64(int64(r.IntN(3) - 1))
		return p
	}
	return Int256{word(r), word(r), word(r), word(r)}
}

func TestInt128Arithmetic(t *testing.T) {
	r := newRand(t)
	check := func(op string, a, b Int128, got Int128, overflow bool, exact *big.Int) {
		t.Helper()
		want, wantOverflow := wrap(exact, 128)
		if bigInt128(got).Cmp(want) != 0 || overflow != wantOverflow {
			t.Fatalf("%v %s %v = %v, %v; not %v, %v", a, op, b, got, overflow, want, wantOverflow)
		}
	}
	for range rounds(30_000) {
		a, b := randomInt128(r), randomInt128(r)
		x, y := bigInt128(a), bigInt128(b)
		got, overflow := a.Add(b)
		check("+", a, b, got, overflow, new(big.Int).Add(x, y))
		got, overflow = a.Sub(b)
		check("-", a, b, got, overflow, new(big.Int).Sub(x, y))
		got, overflow = a.Neg()
		check("neg", a, a, got, overflow, new(big.Int).Neg(x))
		small, unsigned := int64(b.Lo), b.Lo
		got, overflow = a.AddInt64(small)
		check("+", a, Int128FromInt64(small), got, overflow, new(big.Int).Add(x, big.NewInt(small)))
		got, overflow = a.AddUint64(unsigned)
		check("+", a, Int128FromUint64(unsigned), got, overflow, new(big.Int).Add(x, new(big.Int).SetUint64(unsigned)))
		got = MulInt64(int64(a.Lo), small)
		check("*", a, b, got, false, new(big.Int).Mul(big.NewInt(int64(a.Lo)), big.NewInt(small)))
		power := r.IntN(45)
		exact := new(big.Int).Mul(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil))
		got, overflow = a.MulPow10(power)
		if _, wantOverflow := wrap(exact, 128); overflow != wantOverflow {
			t.Fatalf("%v * 10^%d: overflow %v", a, power, overflow)
		} else if !overflow {
			check("mulpow10", a, b, got, overflow, exact)
		}
		if a.Cmp(b) != x.Cmp(y) || a.Cmp(a) != 0 || a.IsZero() != (x.Sign() == 0) || a.IsNegative() != (x.Sign() < 0) {
			t.Fatalf("%v compares wrong with %v", a, b)
		}
		if v, ok := a.Int64(); ok != x.IsInt64() || ok && v != x.Int64() {
			t.Fatalf("Int64 of %v: %v, %v", a, v, ok)
		}
		if v, ok := a.Uint64(); ok != x.IsUint64() || ok && v != x.Uint64() {
			t.Fatalf("Uint64 of %v: %v, %v", a, v, ok)
		}
		if got := a.String(); got != x.String() {
			t.Fatalf("String of %v: %s", x, got)
		}
		var wire [Int128Size]byte
		a.PutBytes(wire[:])
		if Int128FromBytes(wire[:]) != a || Int128FromDecimal(a.Decimal()) != a {
			t.Fatalf("%v does not come back", a)
		}
		if arrowReadsBig && a.FitsDecimal(38) && decimal128.FromBigInt(x) != a.Decimal() {
			t.Fatalf("%v is another decimal", a)
		}
	}
}

func TestInt256Arithmetic(t *testing.T) {
	r := newRand(t)
	check := func(op string, a, b Int256, got Int256, overflow bool, exact *big.Int) {
		t.Helper()
		want, wantOverflow := wrap(exact, 256)
		if bigInt256(got).Cmp(want) != 0 || overflow != wantOverflow {
			t.Fatalf("%v %s %v = %v, %v; not %v, %v", a, op, b, got, overflow, want, wantOverflow)
		}
	}
	for range rounds(30_000) {
		a, b := randomInt256(r), randomInt256(r)
		x, y := bigInt256(a), bigInt256(b)
		got, overflow := a.Add(b)
		check("+", a, b, got, overflow, new(big.Int).Add(x, y))
		got, overflow = a.Sub(b)
		check("-", a, b, got, overflow, new(big.Int).Sub(x, y))
		got, overflow = a.Neg()
		check("neg", a, a, got, overflow, new(big.Int).Neg(x))
		got, overflow = a.AddInt64(int64(b[0]))
		check("+", a, b, got, overflow, new(big.Int).Add(x, big.NewInt(int64(b[0]))))
		got, overflow = a.AddUint64(b[0])
		check("+", a, b, got, overflow, new(big.Int).Add(x, new(big.Int).SetUint64(b[0])))
		narrow := randomInt128(r)
		got, overflow = a.AddInt128(narrow)
		check("+", a, b, got, overflow, new(big.Int).Add(x, bigInt128(narrow)))
		power := r.IntN(85)
		exact := new(big.Int).Mul(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil))
		got, overflow = a.MulPow10(power)
		if _, wantOverflow := wrap(exact, 256); overflow != wantOverflow {
			t.Fatalf("%v * 10^%d: overflow %v", a, power, overflow)
		} else if !overflow {
			check("mulpow10", a, b, got, overflow, exact)
		}
		if a.Cmp(b) != x.Cmp(y) || a.Cmp(a) != 0 || a.IsZero() != (x.Sign() == 0) || a.IsNegative() != (x.Sign() < 0) {
			t.Fatalf("%v compares wrong with %v", a, b)
		}
		if v, ok := a.Int64(); ok != x.IsInt64() || ok && v != x.Int64() {
			t.Fatalf("Int64 of %v: %v, %v", a, v, ok)
		}
		if v, ok := a.Uint64(); ok != x.IsUint64() || ok && v != x.Uint64() {
			t.Fatalf("Uint64 of %v: %v, %v", a, v, ok)
		}
		if v, ok := a.Int128(); (bigInt128(v).Cmp(x) == 0) != ok {
			t.Fatalf("Int128 of %v: %v, %v", a, v, ok)
		}
		if got := a.String(); got != x.String() {
			t.Fatalf("String of %v: %s", x, got)
		}
		var wire [Int256Size]byte
		a.PutBytes(wire[:])
		if Int256FromBytes(wire[:]) != a || Int256FromDecimal(a.Decimal()) != a {
			t.Fatalf("%v does not come back", a)
		}
		if arrowReadsBig && a.FitsDecimal(maxPow10) && decimal256.FromBigInt(x) != a.Decimal() {
			t.Fatalf("%v is another decimal", a)
		}
	}
}

// TestMulPow10AtTheEdge: -2^127 and -2^255 have no positive twin.
func TestMulPow10AtTheEdge(t *testing.T) {
	least := Int128{Hi: math.MinInt64}
	if got, overflow := least.MulPow10(0); got != least || overflow {
		t.Errorf("%v * 1 = %v, %v", least, got, overflow)
	}
	if _, overflow := least.MulPow10(1); !overflow {
		t.Error("the least Int128 times ten fits")
	}
	wide := Int256{3: 1 << 63}
	if got, overflow := wide.MulPow10(0); got != wide || overflow {
		t.Errorf("%v * 1 = %v, %v", wide, got, overflow)
	}
	if got, overflow := (Int256{}).MulPow10(1 << 30); !got.IsZero() || overflow {
		t.Errorf("0 * 10^2^30 = %v, %v", got, overflow)
	}
	if _, overflow := (Int256{1}).MulPow10(1 << 30); !overflow {
		t.Error("10^2^30 fits")
	}
}

func TestFitsDecimal(t *testing.T) {
	for precision := range maxPow10 + 2 {
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
		for nudge := int64(-2); nudge <= 2; nudge++ {
			for _, sign := range []int64{1, -1} {
				n := new(big.Int).Add(limit, big.NewInt(nudge))
				n.Mul(n, big.NewInt(sign))
				want := precision <= maxPow10 && new(big.Int).Abs(n).Cmp(limit) < 0
				if _, overflow := wrap(n, 256); !overflow {
					if got := int256Of(n).FitsDecimal(precision); got != want {
						t.Errorf("%v fits precision %d: %v", n, precision, got)
					}
				}
				if _, overflow := wrap(n, 128); !overflow {
					narrow, _ := int256Of(n).Int128()
					if got := narrow.FitsDecimal(precision); got != want {
						t.Errorf("%v fits precision %d: %v", n, precision, got)
					}
				}
			}
		}
	}
	if !(Int256{}).FitsDecimal(0) || (Int256{1}).FitsDecimal(0) || (Int256{}).FitsDecimal(-1) {
		t.Error("precision 0 holds zero and nothing else, a negative one nothing")
	}
	if (Int256{3: 1 << 63}).FitsDecimal(76) || (Int128{Hi: math.MinInt64}).FitsDecimal(38) {
		t.Error("the least integer fits")
	}
}

func TestWidening(t *testing.T) {
	if got := Int256FromInt64(-5); bigInt256(got).Int64() != -5 {
		t.Errorf("-5 is %v", got)
	}
	if got := Int256FromUint64(math.MaxUint64).String(); got != "18446744073709551615" {
		t.Errorf("the largest uint64 is %s", got)
	}
	if got := string(Int128FromInt64(math.MinInt64).AppendText([]byte("x="))); got != "x=-9223372036854775808" {
		t.Errorf("the least int64 is %s", got)
	}
}
