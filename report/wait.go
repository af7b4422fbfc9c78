package report

import "fmt"

// Wait says how long it is from a step in a state to the next step.
type Wait struct {
	Unit   string `json:"unit"`   // "days", or "" for that of the times in the data
	Median Number `json:"median"` // with its 95 % interval
	Low    Number `json:"low"`
	High   Number `json:"high"`
	// Quarter and Quarters are the quartiles: half of the waits lie between them
	// where their law holds, and Middle says how many do.
	Quarter  Number `json:"first_quartile"`
	Quarters Number `json:"third_quartile"`
	Middle   Number `json:"middle"`
	Last     Number `json:"last"` // share of the steps that no step follows
}

// Words tells the wait in a sentence without its end, "" of none.
func (w *Wait) Words() string {
	if w == nil {
		return ""
	}
	s := fmt.Sprintf("the next step comes after %s (median", w.amount(w.Median))
	if low, ok := w.Low.Value(); ok {
		s += fmt.Sprintf("; 95 %%: %s to %s", Amount(low), Amount(w.High.Or(0)))
	}
	return s + fmt.Sprintf("), half of the time between %s and %s", Amount(w.Quarter.Or(0)), w.amount(w.Quarters))
}

func (w *Wait) amount(n Number) string {
	s := Amount(n.Or(0))
	if w.Unit != "" {
		s += " " + w.Unit
	}
	return s
}
