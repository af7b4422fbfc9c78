package explain

import (
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/vocab"
)

// sharesOf says, for every feature, what its numbers mean under a model.
func sharesOf(s model.Spec, v *vocab.Vocab) []Of {
	of := make([]Of, v.Len())
	for h := range of {
		of[h] = sharesUnder(s)
	}
	switch s.Model {
	case "mixed":
		for _, c := range v.Columns {
			for h := c.From; h < c.To; h++ {
				of[h] = [...]Of{vocab.Presence: OfRecords, vocab.Counts: Average, vocab.Real: Value, vocab.Categorical: OfRecords}[c.Kind]
			}
		}
	case "multiview":
		for _, view := range s.Views {
			for h := max(view.From, 0); h < min(view.To, len(of)); h++ {
				of[h] = sharesUnder(view.Spec)
			}
		}
	}
	return of
}

// sharesUnder says what the numbers of a model of one kind mean.
func sharesUnder(s model.Spec) Of {
	switch s.Model {
	case "single-topic", "lda":
		return OfWords
	case "poisson", "binomial":
		return Average
	case "gaussian", "exponential":
		return Value
	case "hmm":
		if s.Emission == model.Measured {
			return Value
		}
	}
	return OfRecords
}

// questionsOf returns, for every feature, the column of which it is one of
// several answers, or -1.
func questionsOf(v *vocab.Vocab) []int {
	q := make([]int, v.Len())
	for h := range q {
		q[h] = -1
	}
	for c, col := range v.Columns {
		if col.Kind != vocab.Categorical {
			continue
		}
		for h := col.From; h < col.To; h++ {
			q[h] = c
		}
	}
	return q
}
