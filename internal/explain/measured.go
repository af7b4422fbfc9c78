package explain

import (
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// sharesOf says, for each of so many features, what its numbers mean under a model.
func sharesOf(info family.Info, features int) []report.Of {
	of := make([]report.Of, features)
	called := map[family.Unit]report.Of{
		family.Share: report.OfRecords, family.Average: report.Average, family.Value: report.Value, family.WordShare: report.OfWords,
	}
	for h := range of {
		of[h] = called[info.Unit(h)]
	}
	return of
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
