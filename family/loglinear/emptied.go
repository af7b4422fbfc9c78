package loglinear

import "github.com/moiety-go/moiety/warn"

// Emptied returns a warning for every component that holds less than one
// record in all.
func (s Stats) Emptied() []warn.Warning { return Emptied(s.Count) }

// Emptied returns a warning for every expected number of records below one.
func Emptied(count []float64) []warn.Warning {
	var out []warn.Warning
	for j, c := range count {
		if c < 1 {
			out = append(out, warn.New(warn.Caution, "component-emptied",
				"Ask for fewer groups.",
				"Group %d has lost its records: no record belongs to it rather than to another one.", j+1))
		}
	}
	return out
}
