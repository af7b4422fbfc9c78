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
	// Plain is the whole remark without a number of records: it is said where those in Text may
	// not be read. "" where Text tells none.
	Plain string `json:"plain"`
	// Least is the smallest number of records that Text tells, itself or as the rest of all; it
	// is never written.
	Least int `json:"-"`
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

// Counting returns the warning with the numbers of records, among all, that its text tells,
// and with what to say where one of them may not be read.
func (w Warning) Counting(plain string, all int, numbers ...int) Warning {
	w.Plain = plain
	for _, n := range numbers {
		for _, told := range []int{n, all - n} {
			if told > 0 && (w.Least == 0 || told < w.Least) {
				w.Least = told
			}
		}
	}
	return w
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
