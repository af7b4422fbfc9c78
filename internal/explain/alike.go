package explain

import (
	"slices"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// alike reports that two parts say the same: the same feature, the same
// question, or words of which one has nearly all of the other.
func (n *namer) alike(a, p naming) bool {
	if a.feature >= 0 {
		if n.asWritten(p) {
			return a.text == p.text
		}
		q := n.b.question[p.feature]
		if a.feature == p.feature || q >= 0 && n.b.question[a.feature] == q {
			return true
		}
	}
	x, y := n.bareOf(a), n.bareOf(p)
	if len(x) > 0 && len(y) > 0 && x[0] == y[0] && len(x[0]) >= tellingWord {
		return true
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	same := 0
	for _, w := range x {
		if slices.ContainsFunc(y, func(v string) bool { return sameWord(w, v) }) {
			same++
		}
	}
	return len(x) > 0 && 2*same >= len(x)+1
}

// alikeTo returns what tells whether a part says the same as one of a list. What features
// tell of a node is compared with all that others below it are called, again and again:
// whether two features are alike is found once, when it is first asked.
func (n *namer) alikeTo(list []naming) func(naming) bool {
	known := make([][]int8, len(list))
	for i, a := range list {
		if a.feature < 0 { // named by hand: words alone
			continue
		}
		if n.like[a.feature] == nil {
			n.like[a.feature] = make([]int8, len(n.bare))
		}
		known[i] = n.like[a.feature]
	}
	return func(p naming) bool {
		written := n.asWritten(p)
		for i, a := range list {
			if written || a.feature < 0 {
				if n.alike(a, p) {
					return true
				}
				continue
			}
			is := &known[i][p.feature]
			if *is == 0 {
				*is = -1
				if n.alike(a, p) {
					*is = 1
				}
			}
			if *is > 0 {
				return true
			}
		}
		return false
	}
}

// asWritten reports a part that is compared with others by its text.
func (n *namer) asWritten(p naming) bool {
	return n.b.of[p.feature] == report.Value || n.b.r.Shape == report.States
}

// bareOf returns the words that carry a part: many are compared with many, so those of a
// feature are found once.
func (n *namer) bareOf(p naming) []string {
	if p.feature >= 0 {
		return n.bare[p.feature]
	}
	return bareWords(p.text)
}

// tellingWord is the length of a first word that two parts do not share.
const tellingWord = 8

// bareWords returns the words of a part that carry it: how a feature is meant (saidOf) is
// none of them.
func bareWords(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" ,;:()[]/", r) }) {
		switch w {
		case "no", "rarely", "many", "high", "low", "higher", "lower", "middling", "of", "the", "and", "or", "in", "other", "a", "by", "with", "to", "for":
		default:
			out = append(out, w)
		}
	}
	return out
}

// sameWord holds for a word and its plural or its genitive: "troop", "troops".
func sameWord(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 4 && len(b)-len(a) <= 2 && strings.HasPrefix(b, a) && strings.HasSuffix(b, "s")
}
