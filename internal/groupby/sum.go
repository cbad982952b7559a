package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

var sumFunction = Function{
	Name:         "sum",
	Help:         "the exact sum, of floats rounded once; overflow is an error",
	MinArguments: 1,
	MaxArguments: 1,
	Merge:        "sum",
	Bind: func(arguments []arrow.DataType, opt BindOptions) (arrow.DataType, error) {
		t := valueType(arguments[0])
		switch {
		case isInteger(t) && opt.DecimalIntSums:
			return &arrow.Decimal128Type{Precision: 38}, nil
		case isSigned(t):
			return arrow.PrimitiveTypes.Int64, nil
		case isUnsigned(t):
			return arrow.PrimitiveTypes.Uint64, nil
		case isFloat(t):
			return arrow.PrimitiveTypes.Float64, nil
		case t.ID() == arrow.DECIMAL256:
			return &arrow.Decimal256Type{Precision: 76, Scale: int32(scaleOf(t))}, nil
		case isDecimal(t):
			return &arrow.Decimal128Type{Precision: 38, Scale: int32(scaleOf(t))}, nil
		case t.ID() == arrow.DURATION:
			return t, nil
		}
		return nil, fmt.Errorf("sum takes integers, floats, decimals and durations, not %s", t)
	},
	SQL: sumSQL,
	accumulate: func(arguments []Column, out arrow.DataType) (accumulator, error) {
		return newSum(valueType(arguments[0].Type), out)
	},
}

// newSum returns the accumulator that sums values of type t. Durations of
// another unit have to be converted first, unlike integers.
func newSum(t, out arrow.DataType) (accumulator, error) {
	switch {
	case isInteger(t):
		return &intSum{unsigned: isUnsigned(t), out: out, reads: takesNatural}, nil
	case t.ID() == arrow.DURATION:
		return &intSum{out: out, reads: takesConverted}, nil
	case isFloat(t):
		return &floatSum{}, nil
	case t.ID() == arrow.DECIMAL256:
		return &wideSum{width: 4, in: t, out: out}, nil
	case isDecimal(t):
		return &wideSum{width: 2, in: t, out: out}, nil
	}
	return nil, fmt.Errorf("no sum of %s", t)
}

// sumSQL adds integers as decimals, so that only the result can overflow.
func sumSQL(arguments []string, types []arrow.DataType, output arrow.DataType) string {
	x, t := arguments[0], valueType(types[0])
	switch {
	case isInteger(t):
		return fmt.Sprintf("CAST(SUM(CAST(%s AS DECIMAL(38,0))) AS %s)", x, sqlType(output))
	case isFloat(t):
		return fmt.Sprintf("SUM(CAST(%s AS DOUBLE))", x)
	case isDecimal(t):
		return fmt.Sprintf("CAST(SUM(%s) AS %s)", x, sqlType(output))
	}
	return fmt.Sprintf("SUM(%s)", x)
}

// sqlType names the types of sums as DuckDB and DataFusion both know them. The
// two call uint64 by different names; twenty digits hold it.
func sqlType(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.Int64Type:
		return "BIGINT"
	case *arrow.Uint64Type:
		return "DECIMAL(20,0)"
	case arrow.DecimalType:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.GetPrecision(), t.GetScale())
	}
	return "DOUBLE"
}
