package learn

import "math"

// upperBound is the exact (Clopper-Pearson) one-sided 95% upper bound of a rate
// after k of n: the p for which so few are an event of 5%. With none of 299 it
// is 1%. It is computed in thousandths of a percent, rounded up, so that no
// choice hangs on the last bits of a float.
func upperBound(k, n int) float64 {
	if n == 0 || k >= n {
		return 1
	}
	lo, hi := 0, unit
	for lo < hi {
		mid := (lo + hi) / 2
		if atMost(k, n, float64(mid)/unit) <= 0.05 {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return float64(lo) / unit
}

// Bound is the exact one-sided 95% upper bound of a rate after k of n (Clopper
// and Pearson 1934): what the report says beside a gate's share of benign calls.
func Bound(k, n int) float64 { return upperBound(k, n) }

const unit = 100000

// atMost is the probability of at most k of n at rate p.
func atMost(k, n int, p float64) float64 {
	if p <= 0 {
		return 1
	}
	if p >= 1 {
		return 0
	}
	sum, term := 0.0, float64(n)*math.Log1p(-p) // log of the term for i = 0
	ratio := math.Log(p) - math.Log1p(-p)
	for i := 0; i <= k; i++ {
		sum += math.Exp(term)
		term += math.Log(float64(n-i)) - math.Log(float64(i+1)) + ratio
	}
	return sum
}

// byChance is the probability (Fisher's exact test, one-sided) that a pattern
// which has nothing to do with harm holds in at least a of A harmful tasks when
// it holds in a+b of all A+B tasks.
func byChance(a, A, b, B int) float64 {
	lf := func(n int) float64 { v, _ := math.Lgamma(float64(n) + 1); return v }
	choose := func(n, k int) float64 { return lf(n) - lf(k) - lf(n-k) }
	hit, all := a+b, A+B
	p := 0.0
	for x := a; x <= min(A, hit); x++ {
		if hit-x <= B {
			p += math.Exp(choose(A, x) + choose(B, hit-x) - choose(all, hit))
		}
	}
	return min(p, 1)
}

// ByChance is byChance, for other statistics over tasks.
func ByChance(a, A, b, B int) float64 { return byChance(a, A, b, B) }
