package arrowtest

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
)

// appendCell appends one cell's value. Strings and binary must not go through
// arrow-go's text forms (base64), and its decimal parser rounds; the rest may.
func appendCell(b array.Builder, c Cell) error {
	if c.Null {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case array.StringLikeBuilder:
		b.Append(c.Text)
		return nil
	case array.BinaryLikeBuilder:
		bytes, err := binaryValue(c.Text)
		b.Append(bytes)
		return err
	case *array.FixedSizeBinaryBuilder:
		return appendFixedSizeBinary(b, c.Text)
	case *array.NullBuilder:
		return fmt.Errorf("value %q in a column of type null", c.Text)
	}
	if dt, ok := b.Type().(arrow.DecimalType); ok {
		return appendDecimal(b, dt, c.Text)
	}
	if appended, err := appendTemporal(b, c.Text); appended {
		return err
	}
	return b.AppendValueFromString(c.Text)
}

func binaryValue(text string) ([]byte, error) {
	if digits, ok := strings.CutPrefix(text, `\x`); ok {
		return hex.DecodeString(digits)
	}
	return []byte(text), nil
}

func appendFixedSizeBinary(b *array.FixedSizeBinaryBuilder, text string) error {
	bytes, err := binaryValue(text)
	if err != nil {
		return err
	}
	if width := b.Type().(*arrow.FixedSizeBinaryType).ByteWidth; len(bytes) != width {
		return fmt.Errorf("%d bytes in a column of %d", len(bytes), width)
	}
	b.Append(bytes)
	return nil
}

func appendDecimal(b array.Builder, dt arrow.DecimalType, text string) error {
	n, err := unscaled(text, dt.GetScale())
	if err != nil {
		return err
	}
	if n.BitLen() >= dt.BitWidth() {
		return fmt.Errorf("%s does not fit %d bits", text, dt.BitWidth())
	}
	switch b := b.(type) {
	case *array.Decimal32Builder:
		b.Append(decimal.Decimal32(n.Int64()))
	case *array.Decimal64Builder:
		b.Append(decimal.Decimal64(n.Int64()))
	case *array.Decimal128Builder:
		b.Append(decimal128.FromBigInt(n))
	case *array.Decimal256Builder:
		b.Append(decimal256.FromBigInt(n))
	}
	return nil
}

// unscaled returns the integer n with n·10^-scale equal to the decimal text.
func unscaled(text string, scale int32) (*big.Int, error) {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("%q is no decimal", text)
	}
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil))
	if scale < 0 {
		power.Inv(power)
	}
	if value.Mul(value, power); !value.IsInt() {
		return nil, fmt.Errorf("%s has more digits than scale %d", text, scale)
	}
	return value.Num(), nil
}

// scaled is unscaled's inverse: plain digits, the scale in full.
func scaled(n *big.Int, scale int32) string {
	value := new(big.Rat).SetInt(n)
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil))
	if scale > 0 {
		power.Inv(power)
	}
	return value.Mul(value, power).FloatString(int(max(scale, 0)))
}
