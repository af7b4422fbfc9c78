package evaluate

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/regress"
	"github.com/moiety-go/moiety/internal/stream"
)

// PredictOptions steers Predict. Zero values mean the defaults.
type PredictOptions struct {
	Folds int // of the cross-validation; 0 means 5
	Seed  uint64
	Ridge float64 // penalty of the regression; 0 means 1
}

// Prediction tells how well groups foretell an outcome, on records that the
// regression did not see.
type Prediction struct {
	Accuracy   float64 // share of outcomes foretold, mean over the folds
	AccuracySD float64 // between the folds
	AUC        float64 // area under the ROC curve, mean over the folds; 0.5 is chance
	Baseline   float64 // share of the more frequent outcome: the accuracy of knowing nothing
	Records    int
	Folds      int
}

// PredictFromGroups foretells a yes-or-no outcome from the group of each record
// by logistic regression on group membership ([T] Section 6.4.1), with
// cross-validation.
func PredictFromGroups(ctx context.Context, labels []int, outcome []bool, o PredictOptions) (*Prediction, error) {
	groups := slices.Clone(labels)
	slices.Sort(groups)
	groups = slices.Compact(groups)
	if len(labels) == 0 {
		return nil, fmt.Errorf("evaluate: no records to foretell an outcome for")
	}
	x := mat.NewDense(len(labels), len(groups), nil)
	for i, l := range labels {
		at, _ := slices.BinarySearch(groups, l)
		x.Set(i, at, 1)
	}
	return Predict(ctx, x, outcome, o)
}

// Predict foretells a yes-or-no outcome from any columns, such as the posterior
// probabilities of the groups (n×k), by logistic regression with
// cross-validation. The folds are drawn by the seed, each outcome apart, so
// that every fold holds both; each outcome needs as many records as folds.
func Predict(ctx context.Context, x *mat.Dense, outcome []bool, o PredictOptions) (*Prediction, error) {
	n, _ := x.Dims()
	if o.Folds == 0 {
		o.Folds = 5
	}
	if len(outcome) != n || o.Folds < 2 {
		return nil, fmt.Errorf("evaluate: %d outcomes of %d records in %d folds: want one outcome a record and at least 2 folds", len(outcome), n, o.Folds)
	}
	fold, yes, err := foldsOf(outcome, o)
	if err != nil {
		return nil, err
	}
	p := &Prediction{Records: n, Folds: o.Folds, Baseline: float64(max(yes, n-yes)) / float64(n)}
	var accuracy []float64
	for f := range o.Folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, auc, err := score(x, outcome, fold, f, o)
		if err != nil {
			return nil, err
		}
		accuracy = append(accuracy, a)
		p.AUC += auc / float64(o.Folds)
	}
	p.Accuracy, p.AccuracySD = meanSD(accuracy)
	return p, nil
}

// foldsOf gives every record its fold, records of each outcome in turn.
func foldsOf(outcome []bool, o PredictOptions) (fold []int, yes int, err error) {
	fold = make([]int, len(outcome))
	var size [2]int
	for _, i := range stream.New(o.Seed, "evaluate/predict").Perm(len(outcome)) {
		c := class(outcome[i])
		fold[i] = size[c] % o.Folds
		size[c]++
	}
	if min(size[0], size[1]) < o.Folds {
		return nil, 0, fmt.Errorf("evaluate: %d records have the outcome and %d have not; %d folds need that many of each", size[1], size[0], o.Folds)
	}
	return fold, size[1], nil
}

func class(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// score fits on all folds but f and measures on f.
func score(x *mat.Dense, outcome []bool, fold []int, f int, o PredictOptions) (accuracy, auc float64, err error) {
	fitX, fitY := part(x, outcome, func(i int) bool { return fold[i] != f })
	testX, testY := part(x, outcome, func(i int) bool { return fold[i] == f })
	m, err := regress.Fit(fitX, fitY, 2, regress.Settings{Ridge: o.Ridge})
	if err != nil {
		return 0, 0, err
	}
	probability, err := m.Probabilities(testX)
	if err != nil {
		return 0, 0, err
	}
	if accuracy, err = m.Accuracy(testX, testY); err != nil {
		return 0, 0, err
	}
	return accuracy, areaUnder(mat.Col(nil, 1, probability), testY), nil
}

func part(x *mat.Dense, outcome []bool, in func(i int) bool) (*mat.Dense, []int) {
	_, d := x.Dims()
	var data []float64
	var y []int
	for i, yes := range outcome {
		if in(i) {
			data = append(data, x.RawRowView(i)...)
			y = append(y, class(yes))
		}
	}
	return mat.NewDense(len(y), d, data), y
}

// areaUnder returns the probability that a record with the outcome gets a
// larger score than one without, ties counting half (Mann and Whitney).
func areaUnder(score []float64, y []int) float64 {
	rank, sum, yes := ranks(score), 0.0, 0.0
	for i, c := range y {
		if c == 1 {
			sum += rank[i]
			yes++
		}
	}
	no := float64(len(y)) - yes
	return (sum - yes*(yes+1)/2) / (yes * no)
}
