package explain

// RangeOfSize and RangeOfCount return the numbers that a shared report rounds to
// n, for tests that play the attacker: of records, or of those with a feature.
func RangeOfSize(unit, n int) (low, high float64) {
	r := rounding{unit}
	return r.low(float64(n), partOfSizes), r.high(float64(n), partOfSizes)
}

// RangeOfCount is the range of a rounded count of a feature.
func RangeOfCount(unit, n int) (low, high float64) {
	r := rounding{unit}
	return r.low(float64(n), partOfFeatures), r.high(float64(n), partOfFeatures)
}

// FewLack is how many more than the limit may lack what nearly all have.
const FewLack = fewLack
