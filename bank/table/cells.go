package table

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/bank/result"
)

// said writes a claim, such as "4 (4 to 6)".
func said(a result.Answer) string {
	if a.Failed() {
		return "failed"
	}
	if a.Low == a.High {
		return fmt.Sprint(a.Groups)
	}
	return fmt.Sprintf("%d (%d to %d)", a.Groups, a.Low, a.High)
}

// saidAll writes the numbers that were claimed, draw by draw; an exclamation mark
// stands after those that were sure.
func saidAll(draws []judged) string {
	var all []string
	for _, d := range draws {
		text := fmt.Sprint(d.Alone.Groups)
		if d.Alone.Failed() {
			text = "failed"
		}
		if d.Alone.Sure {
			text += "!"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// indexCell writes the index of a draw with groups.
func indexCell(j judged) string {
	if j.single() {
		return ""
	}
	return decimals(index(j.Alone))
}

// reachCell writes what the oracle reaches on a draw, where there is one.
func reachCell(j judged) string {
	if j.single() || !j.tried {
		return ""
	}
	return decimals(j.reach)
}

// meanIndexCell writes the mean index of draws with groups.
func meanIndexCell(draws []judged) string {
	if draws[0].single() {
		return ""
	}
	return decimals(mean(draws, func(j judged) float64 { return index(j.Alone) }))
}

// meanReachCell writes what oracles reach in the mean.
func meanReachCell(draws []judged) string {
	if draws[0].single() || !draws[0].tried {
		return ""
	}
	return decimals(mean(draws, reach))
}
