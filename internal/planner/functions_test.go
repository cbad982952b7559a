package planner

import (
	"fmt"
	"os"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
)

func TestMain(m *testing.M) {
	if len(groupby.Functions) == 0 {
		groupby.Functions = testFunctions
	}
	os.Exit(m.Run())
}

func bindSum(t []arrow.DataType, o groupby.BindOptions) (arrow.DataType, error) {
	switch id := t[0].ID(); {
	case arrow.IsInteger(id) && o.DecimalIntSums:
		return &arrow.Decimal128Type{Precision: 38}, nil
	case arrow.IsUnsignedInteger(id):
		return arrow.PrimitiveTypes.Uint64, nil
	case arrow.IsInteger(id):
		return arrow.PrimitiveTypes.Int64, nil
	case arrow.IsFloating(id):
		return arrow.PrimitiveTypes.Float64, nil
	case arrow.IsDecimal(id), id == arrow.DURATION:
		return t[0], nil
	}
	return nil, fmt.Errorf("sum takes numbers and durations, not %s", t[0])
}

func bindSame(t []arrow.DataType, _ groupby.BindOptions) (arrow.DataType, error) { return t[0], nil }
func sqlCall(name string) func([]string, []arrow.DataType, arrow.DataType) string {
	return func(a []string, _ []arrow.DataType, _ arrow.DataType) string {
		if len(a) == 0 {
			return name + "(*)"
		}
		return name + "(" + a[0] + ")"
	}
}

var testFunctions = []groupby.Function{
	{Name: "sum", MinArguments: 1, MaxArguments: 1, Merge: "sum", Bind: bindSum, SQL: sqlCall("SUM")},
	{Name: "min", MinArguments: 1, MaxArguments: 1, Merge: "min", Bind: bindSame, SQL: sqlCall("MIN")},
	{Name: "max", MinArguments: 1, MaxArguments: 1, Merge: "max", Bind: bindSame, SQL: sqlCall("MAX")},
	{Name: "count", MinArguments: 0, MaxArguments: 1, Merge: "sum", SQL: sqlCall("COUNT"),
		Bind: func([]arrow.DataType, groupby.BindOptions) (arrow.DataType, error) {
			return arrow.PrimitiveTypes.Int64, nil
		}},
	{Name: "mean", MinArguments: 1, MaxArguments: 1, Merge: "none", SQL: sqlCall("AVG"),
		Bind: func(t []arrow.DataType, o groupby.BindOptions) (arrow.DataType, error) {
			if _, err := bindSum(t, o); err != nil {
				return nil, err
			}
			return arrow.PrimitiveTypes.Float64, nil
		}},
}
