package dataset

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// h2o is the group-by table G1 of H2O.ai's database-like operations benchmark
// (github.com/h2oai/db-benchmark, _data/groupby-datagen.R), types as its
// readers load them:
//
//	id1, id2  utf8     "id001" … K values
//	id3       utf8     "id0000000001" … N/K values
//	id4, id5  int32    1 … K
//	id6       int32    1 … N/K
//	v1, v2    int32    1 … 5, 1 … 15
//	v3        float64  0 … 100, six digits
//
// The random numbers are our own, so the values are not those of the published
// files; their distribution is.
func h2o(spec Spec) []column {
	k, many := spec.K, int(max(1, spec.Rows/int64(spec.K)))
	small := func(i int) string { return fmt.Sprintf("id%03d", i+1) }
	large := func(i int) string { return fmt.Sprintf("id%010d", i+1) }
	fromOne := func(i int) int64 { return int64(i) + 1 }
	v3 := newStream(spec.Seed, "v3")
	return []column{
		stringKey(spec, "id1", k, small),
		stringKey(spec, "id2", k, small),
		stringKey(spec, "id3", many, large),
		integerKey(spec, "id4", arrow.PrimitiveTypes.Int32, k, fromOne),
		integerKey(spec, "id5", arrow.PrimitiveTypes.Int32, k, fromOne),
		integerKey(spec, "id6", arrow.PrimitiveTypes.Int32, many, fromOne),
		integers(spec, "v1", arrow.PrimitiveTypes.Int32, 1, 5),
		integers(spec, "v2", arrow.PrimitiveTypes.Int32, 1, 15),
		floats("v3", func(row uint64) float64 { return math.Round(unit(v3.at(row))*100e6) / 1e6 }),
	}
}
