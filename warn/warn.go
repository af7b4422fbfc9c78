// Package warn holds warnings: results that may mislead say so in words that a
// nurse understands. A warning travels inside a result; the library never
// prints one.
package warn

import (
	"fmt"
	"sort"
)

// Warning is one remark on a result.
type Warning struct {
	Code   string `json:"code"`   // stable, for programs: "few-records"
	Text   string `json:"text"`   // one plain sentence
	Remedy string `json:"remedy"` // what to do about it; may be empty
	Weight int    `json:"weight"` // 3 the result may be wrong, 2 look twice, 1 good to know
}

// Weights of warnings.
const (
	Note    = 1
	Caution = 2
	Serious = 3
)

// New returns a warning; text may hold fmt verbs for args.
func New(weight int, code, remedy, text string, args ...any) Warning {
	return Warning{Code: code, Text: fmt.Sprintf(text, args...), Remedy: remedy, Weight: weight}
}

// Sort puts the heaviest first; those of one weight stay in their order.
func Sort(list []Warning) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Weight > list[j].Weight })
}

// String returns the sentence and its remedy.
func (w Warning) String() string {
	if w.Remedy == "" {
		return w.Text
	}
	return w.Text + " " + w.Remedy
}
