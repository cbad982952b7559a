package dataset

import (
	"fmt"
	"math"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
)

const (
	sensorHosts   = 10_000
	sensorRegions = 20
	sensorMinutes = 24 * 60
)

// sensor is a day of partial aggregates, in no order:
//
//	region     utf8           "region-00" … 20 values, a host's own
//	host       utf8           "host-00000" … 10,000 values
//	minute     timestamp[us]  the 1,440 minutes of 2024-01-01, or Spec.Minutes from then on
//	bytes_sum  int64          1 … 1,000,000
//	req_count  int64          1 … 1,000
//	lat_min    float64        0.1 … 10.1 ms, three digits
//	lat_max    float64        lat_min and up to 2 s more, three digits
//
// 1e7 rows hit 7.2 million of the 14.4 million pairs of host and minute, and
// all 28,800 of region and minute.
func sensor(spec Spec) []column {
	host := newKeyDraw(spec, "host", sensorHosts)
	low, high := newStream(spec.Seed, "lat_min"), newStream(spec.Seed, "lat_max")
	thousandth := func(v float64) float64 { return math.Round(v*1000) / 1000 }
	latMin := func(row uint64) float64 { return thousandth(0.1 + 10*unit(low.at(row))) }
	first := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

	hosts := stringKey(spec, "host", sensorHosts, func(i int) string { return fmt.Sprintf("host-%05d", i) })
	regions := stringKey(spec, "region", sensorRegions, func(i int) string { return fmt.Sprintf("region-%02d", i) })
	regions.code = func(row uint64) int { return host.at(row) % sensorRegions }

	return []column{
		regions,
		hosts,
		integerKey(spec, "minute", &arrow.TimestampType{Unit: arrow.Microsecond}, spec.Minutes,
			func(i int) int64 { return first + int64(i)*time.Minute.Microseconds() }),
		integers(spec, "bytes_sum", arrow.PrimitiveTypes.Int64, 1, 1_000_000),
		integers(spec, "req_count", arrow.PrimitiveTypes.Int64, 1, 1_000),
		floats("lat_min", latMin),
		floats("lat_max", func(row uint64) float64 { return thousandth(latMin(row) + 2000*unit(high.at(row))) }),
	}
}
