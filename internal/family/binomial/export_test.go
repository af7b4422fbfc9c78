package binomial

import "github.com/moiety-go/moiety/moment"

// ScaleOf returns what a source divided the features by.
func ScaleOf(src moment.Source) []float64 {
	switch s := src.(type) {
	case known:
		return s.Formula().Scale
	case completed:
		return s.Scale
	}
	return nil
}

// TrialsOf returns the number of trials that the moments were made for.
func TrialsOf(src moment.Source) float64 {
	switch s := src.(type) {
	case known:
		return s.trials
	case completed:
		return s.trials
	}
	return 0
}
