package render

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// oracleText is the text of a value that is not null, put together the slow
// way, from math/big, strconv's digits and the standard library's dates.
func oracleText(a arrow.Array, row int) string {
	switch a := a.(type) {
	case *array.Int8:
		return fmt.Sprint(a.Value(row))
	case *array.Int16:
		return fmt.Sprint(a.Value(row))
	case *array.Int32:
		return fmt.Sprint(a.Value(row))
	case *array.Int64:
		return fmt.Sprint(a.Value(row))
	case *array.Uint8:
		return fmt.Sprint(a.Value(row))
	case *array.Uint16:
		return fmt.Sprint(a.Value(row))
	case *array.Uint32:
		return fmt.Sprint(a.Value(row))
	case *array.Uint64:
		return fmt.Sprint(a.Value(row))
	case *array.Duration:
		return fmt.Sprint(int64(a.Value(row)))
	case *array.Float16:
		return oracleFloat(oracleHalfDigits(a.Value(row).Uint16()))
	case *array.Float32:
		return oracleFloat(strconv.FormatFloat(float64(a.Value(row)), 'e', -1, 32))
	case *array.Float64:
		return oracleFloat(strconv.FormatFloat(a.Value(row), 'e', -1, 64))
	case *array.Decimal32:
		return oracleDecimal(big.NewInt(int64(a.Value(row))), scaleOf(a))
	case *array.Decimal64:
		return oracleDecimal(big.NewInt(int64(a.Value(row))), scaleOf(a))
	case *array.Decimal128:
		return oracleDecimal(a.Value(row).BigInt(), scaleOf(a))
	case *array.Decimal256:
		return oracleDecimal(a.Value(row).BigInt(), scaleOf(a))
	case *array.Boolean:
		return fmt.Sprint(a.Value(row))
	case *array.Date32:
		return oracleInstant(int64(a.Value(row))*86400, 1, "")
	case *array.Date64:
		text := oracleInstant(int64(a.Value(row)), 1000, "T15:04:05.000")
		return strings.TrimSuffix(text, "T00:00:00.000")
	case *array.Time32:
		return oracleClock(int64(a.Value(row)), a.DataType().(*arrow.Time32Type).Unit)
	case *array.Time64:
		return oracleClock(int64(a.Value(row)), a.DataType().(*arrow.Time64Type).Unit)
	case *array.Timestamp:
		t := a.DataType().(*arrow.TimestampType)
		perSecond := int64(time.Second / t.Unit.Multiplier())
		text := oracleInstant(int64(a.Value(row)), perSecond, "T15:04:05"+fractionLayout[t.Unit])
		if t.TimeZone != "" {
			text += "Z"
		}
		return text
	case *array.String:
		return a.Value(row)
	case *array.LargeString:
		return a.Value(row)
	case *array.StringView:
		return a.Value(row)
	case *array.Binary:
		return `\x` + hex.EncodeToString(a.Value(row))
	case *array.LargeBinary:
		return `\x` + hex.EncodeToString(a.Value(row))
	case *array.BinaryView:
		return `\x` + hex.EncodeToString(a.Value(row))
	case *array.FixedSizeBinary:
		return `\x` + hex.EncodeToString(a.Value(row))
	}
	panic(fmt.Sprintf("no oracle for %T", a))
}

var fractionLayout = map[arrow.TimeUnit]string{
	arrow.Second: "", arrow.Millisecond: ".000", arrow.Microsecond: ".000000", arrow.Nanosecond: ".000000000",
}

// oracleFloat lays out digits that are given as d.ddde±xx.
func oracleFloat(scientific string) string {
	scientific = strings.TrimPrefix(strings.ToLower(scientific), "+")
	if named, ok := map[string]string{"nan": "NaN", "inf": "inf", "-inf": "-inf"}[scientific]; ok {
		return named
	}
	mantissa, power, _ := strings.Cut(scientific, "e")
	exponent, err := strconv.Atoi(power)
	if err != nil {
		panic(err)
	}
	if exponent < -5 || exponent >= 17 {
		return scientific
	}
	sign := ""
	if rest, ok := strings.CutPrefix(mantissa, "-"); ok {
		sign, mantissa = "-", rest
	}
	digits := strings.ReplaceAll(mantissa, ".", "")
	if exponent < 0 {
		return sign + "0." + strings.Repeat("0", -exponent-1) + digits
	}
	for len(digits) < exponent+2 {
		digits += "0"
	}
	return sign + digits[:exponent+1] + "." + digits[exponent+1:]
}

// oracleHalf is the value of a float16's bits, by the format's definition.
func oracleHalf(bits uint16) float64 {
	sign, exponent, fraction := 1.0, int(bits>>10&31), float64(bits&1023)
	if bits>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 31:
		if fraction == 0 {
			return math.Inf(int(sign))
		}
		return math.NaN()
	case 0:
		return math.Copysign(fraction*math.Pow(2, -24), sign)
	}
	return sign * (1 + fraction/1024) * math.Pow(2, float64(exponent-15))
}

// oracleHalfDigits finds the shortest digits by trying all of them in exact
// arithmetic: the neighbours' midpoints bound what reads back the same.
func oracleHalfDigits(bits uint16) string {
	v := oracleHalf(bits)
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	sign := ""
	if v < 0 {
		sign = "-"
	}
	bits &= 0x7fff
	rational := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	half := big.NewRat(1, 2)
	x := rational(oracleHalf(bits))
	low := new(big.Rat).Add(x, rational(oracleHalf(bits-1)))
	high := new(big.Rat)
	if above := oracleHalf(bits + 1); math.IsInf(above, 0) {
		high.Add(x, rational(65536))
	} else {
		high.Add(x, rational(above))
	}
	low.Mul(low, half)
	high.Mul(high, half)
	even := bits%2 == 0
	for precision := 1; ; precision++ {
		var best *big.Rat
		text := ""
		for exponent := -8; exponent <= 4; exponent++ {
			unit := new(big.Rat).SetFrac(pow10(max(exponent-precision+1, 0)), pow10(max(precision-1-exponent, 0)))
			first, last := new(big.Rat).Quo(low, unit), new(big.Rat).Quo(high, unit)
			n := new(big.Int).Div(first.Num(), first.Denom())
			if least := pow10(precision - 1); n.Cmp(least) < 0 {
				n = least
			}
			for ; len(n.String()) == precision; n.Add(n, big.NewInt(1)) {
				candidate := new(big.Rat).SetInt(n)
				if c := candidate.Cmp(last); c > 0 || c == 0 && !even {
					break
				}
				if c := candidate.Cmp(first); c < 0 || c == 0 && !even {
					continue
				}
				candidate.Mul(candidate, unit)
				distance := candidate.Sub(candidate, x)
				distance.Abs(distance)
				if best == nil || distance.Cmp(best) < 0 {
					best = distance
					digits := strings.TrimSuffix(n.String()[:1]+"."+n.String()[1:], ".")
					text = fmt.Sprintf("%s%se%+03d", sign, digits, exponent)
				}
			}
		}
		if best != nil {
			return text
		}
	}
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

func oracleDecimal(v *big.Int, scale int) string {
	if scale <= 0 {
		return v.Mul(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-scale)), nil)).String()
	}
	digits, sign := v.String(), ""
	if rest, ok := strings.CutPrefix(digits, "-"); ok {
		digits, sign = rest, "-"
	}
	for len(digits) <= scale {
		digits = "0" + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// oracleInstant is right as long as time.Time is.
func oracleInstant(v, perSecond int64, layout string) string {
	seconds := new(big.Int)
	rest := new(big.Int)
	seconds.DivMod(big.NewInt(v), big.NewInt(perSecond), rest)
	at := time.Unix(seconds.Int64(), rest.Int64()*int64(time.Second)/perSecond).UTC()
	year := fmt.Sprintf("%04d", at.Year())
	switch {
	case at.Year() < 0:
		year = fmt.Sprintf("-%04d", -at.Year())
	case at.Year() > 9999:
		year = fmt.Sprintf("+%d", at.Year())
	}
	return year + at.Format("-01-02"+layout)
}

func oracleClock(v int64, unit arrow.TimeUnit) string {
	perSecond := big.NewInt(int64(time.Second / unit.Multiplier()))
	units, sign := big.NewInt(v), ""
	if v < 0 {
		units.Neg(units)
		sign = "-"
	}
	seconds, rest := new(big.Int).DivMod(units, perSecond, new(big.Int))
	s := seconds.Int64()
	text := fmt.Sprintf("%s%02d:%02d:%02d", sign, s/3600, s/60%60, s%60)
	if digits := len(fractionLayout[unit]) - 1; digits > 0 {
		text += fmt.Sprintf(".%0*d", digits, rest)
	}
	return text
}
