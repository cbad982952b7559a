// Package exact adds numbers without rounding until the end, so that a sum does
// not depend on the order of rows, batches, files or workers.
//
// Floating-point addition rounds every time, and so 0.1 + 0.2 + 0.3 has two
// answers. A sum that must come out the same on 1 thread and on 8 has to be the
// one number that order cannot change: the double nearest to the sum of the
// inputs as real numbers. Compensated sums (Kahan, Neumaier) are closer to it,
// but still depend on order.
//
// # Float sums climb a ladder of two rungs
//
//	          x                        one value of a group
//	          |
//	  StepPair / AddPair               hi + lo is the sum, exactly: 16 bytes
//	    |            |
//	   ok       loss, overflow,
//	    |       infinity, NaN
//	    |            |
//	    |           Sum                fixed point, every bit there: 552 bytes
//	    |            |
//	RoundPair      Round               the one rounding, to nearest even
//
// The lower rung is two TwoSums: s, e = TwoSum(hi, x) splits hi + x into the
// rounded sum and the error of rounding, and t, loss = TwoSum(lo, e) collects
// the error. While loss is 0, s + t is the sum to the last bit. Two doubles hold
// 106 bits and more, which ordinary columns (prices, latencies, counts) do not
// exceed; values of both 1e300 and 1e-300 in one group do, and that group alone
// moves to the upper rung.
//
// The upper rung is a superaccumulator: the whole range of doubles as one long
// fixed-point number. Limbs weigh 32 bits but live in 64, so that carries can
// wait while 2,046 values are added:
//
//	2^1086 ...                 2^0                       ...  2^-1074
//	+--------+--------+-- ... --+--------+--------+-- ... --+--------+
//	| limb67 | limb66 |         | limb33 | limb32 |         | limb 0 |
//	+--------+--------+-- ... --+--------+--------+-- ... --+--------+
//	  sign,                         [  53 bits  ]   a double covers parts of
//	  headroom                                      two limbs, the upper one
//	                                                beyond its 32 bits
//
// On which rung a group stands depends on the order of its values, and so must
// not show: RoundPair and Sum.Round agree, and for results that are passed on,
// CanonicalPair and Sum.Pair give the same two doubles, or both say that two
// doubles do not suffice; only then the accumulator's bytes are written, and
// equal sums have equal bytes (AppendBinary).
//
// # Other sums
//
// ProductSum is a Sum with twice the range, for Σ a*b; TwoProduct is its lower
// rung. Int128 and Int256 are sums of integers and of decimals' digits, with
// overflow reported, never wrapped unseen. Float64 and Float64Scaled round them
// to the nearest double, from integers alone. Mean divides a rounded sum once by
// its count.
//
// Expansion is a pair with four terms, the cheap rung below a ProductSum.
// Where a formula has several exact sums in it, each is handed over as a Dyadic,
// an integer times a power of two, and the formula rounds once: Quotient,
// Moments.Variance, Moments.Deviation.
//
// # Rules that hold throughout
//
//   - A result is the double nearest to the exact value, ties to even; past the
//     largest double it is ±inf; an exact zero is +0.0; every NaN is NaN(). A
//     Float64Scaled or ProductSum result that is not zero but smaller than half
//     the least subnormal is a zero that keeps its sign, as in IEEE 754.
//   - No result depends on the processor. Compilers may fuse x*y+z into one
//     rounding (Go does on arm64, and on amd64 with GOAMD64=v3), so products of
//     floats are converted by float64(), and TwoProduct asks for math.FMA where
//     it wants it. All else that multiplies works on integers. The tests compare
//     with math/big and so would see a difference in a build for either.
//   - Nothing allocates, but String, the append functions when they must grow, and
//     what is done once a group with Dyadics.
//   - Nothing holds a pointer. Sum and ProductSum may lie outside Go's heap, and
//     the zero value of every type is zero.
//   - Values may be read concurrently; adding needs a goroutine of its own.
//
// # To extend it
//
// A wider accumulator (sums of triple products, say) is a struct of limbs, a
// count and special, with the methods of ProductSum: fixedPoint does the work
// for any number of limbs. Any finishing formula should end in roundWords or
// fixedPoint.round, so that roundMagnitude stays the only place that rounds by
// hand. A new binary form takes a new version byte, and the old one stays
// readable.
//
// # Sources
//
//   - D. E. Knuth, The Art of Computer Programming, volume 2, section 4.2.2:
//     TwoSum. T. J. Dekker, A floating-point technique for extending the
//     available precision (1971): QuickTwoSum.
//   - J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast
//     robust geometric predicates (1997): expansions, which pairs are.
//   - R. M. Neal, Fast exact summation using small and large superaccumulators
//     (2015): Sum is his small one.
//   - S. Boldo, S. Graillat, J.-M. Muller, On the robustness of the 2Sum and
//     Fast2Sum algorithms (2017): why overflow cannot go unseen.
//
// # Measured
//
// One value, on one core of a shared AMD EPYC (amd64, v1), the least of several
// runs on a busy machine: plain += 0.8 ns (4.2 ns where each addition waits for
// the last), StepPair inlined 4.5 ns, AddPair 8.2 ns, Sum.Add 6.7 to 7.5 ns
// whatever the exponents, AddProduct 17 ns, Int128.AddInt64 1.8 ns. For a whole
// group: Sum.Merge 62 ns, Sum.Round 150 ns, writing and reading a Sum's bytes
// 320 ns, Int128.Float64Scaled 9 ns up to 2^53 and 50 ns beyond. Not one value
// in 100,000 of each of the test's six ordinary distributions leaves the lower
// rung.
package exact
