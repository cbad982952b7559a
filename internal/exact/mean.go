package exact

// Mean divides a sum, already rounded to the nearest double (RoundPair,
// Sum.Round, Int128.Float64, Int128.Float64Scaled, …), once by the count. That
// is two roundings, the sum's and the quotient's, and it is the definition:
// mean(x) shows the same bits as sum(x) / count(x). A count of zero, which
// means null, gives NaN.
func Mean(sum float64, count int64) float64 {
	if count == 0 {
		return NaN()
	}
	return canonical(sum / float64(count))
}
