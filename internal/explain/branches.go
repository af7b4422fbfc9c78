package explain

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/report"
)

// Branches of a tree are called by what their groups have in common. Where these have
// nothing in common, what one of them has would be read as said of all, and what all lack
// says little: then a branch is one or the other.
const (
	// Were a feature of one group alone, its commonness would be that group's share of the records.
	leastCommon = 0.6
	leastHeld   = 1.0 / 3 // of a branch's records that "one or the other" holds for
)

// common tells how far the groups below a node have a feature in common: the square of
// its mean over the mean of its squares, 1 where it is as frequent in all of them and
// their share of the records where it is in some of them alone. Where one of them may not
// be read it says nothing against the feature.
func (n *namer) common(node, f int) float64 {
	b := n.b
	if b.of[f] == report.Value {
		return 1
	}
	all, sum, squares, open := 0.0, 0.0, 0.0, true
	b.h.each(node, func(d int) {
		if len(b.h.children[d]) > 0 {
			return
		}
		w := float64(b.c.n[d])
		if j := b.number(d); b.soft() && j >= 0 {
			w = b.params.Weights[j]
		}
		if w == 0 {
			return
		}
		v, ok := b.value(d, f)
		open = open && ok
		all += w
		sum += w * v
		squares += w * v * v
	})
	if !open || squares == 0 {
		return 1
	}
	return sum * sum / (all * squares)
}

// inCommon reports that a name made of the best of these would say what there is in all
// groups below.
func (n *namer) inCommon(list []naming) bool {
	if len(list) == 0 || list[0].absent {
		return false
	}
	return !slices.ContainsFunc(n.choose(list), func(p naming) bool { return !p.absent && p.common < leastCommon })
}

// oneOrOther returns what the children of a node are called, a part of each in turn, as
// many as a name holds: what there is, more often than beside the node, and in enough of
// its records to stand for them.
func (n *namer) oneOrOther(node int) []naming {
	words := n.b.words()
	most := nameFeatures
	if words {
		most = longestTopic
	}
	var own [][]naming
	longest := 0
	for _, c := range n.b.h.children[node] {
		var parts []naming
		for _, p := range n.parts[c] {
			if p.absent || p.feature < 0 || n.b.of[p.feature] == report.Value {
				continue
			}
			if q, ok := n.part(node, p.feature); ok && !q.absent {
				parts = append(parts, p)
			}
			if !words && !n.either[c] {
				break // its other parts are said of the same records
			}
		}
		if len(parts) == 0 {
			return nil
		}
		own, longest = append(own, parts), max(longest, len(parts))
	}
	if len(own) < 2 {
		return nil
	}
	var out []naming
	held := 0.0
	for i := range longest {
		for _, parts := range own {
			if i >= len(parts) || len(out) == most || slices.ContainsFunc(out, func(o naming) bool { return n.alike(o, parts[i]) }) {
				continue
			}
			next := append(out[:len(out):len(out)], parts[i])
			if utf8.RuneCountInString(n.write(next, "or")) > longestName {
				if i == 0 {
					return nil // one of the children would not be named
				}
				continue
			}
			share, _ := n.b.value(node, parts[i].feature)
			held += share
			out = next
		}
	}
	if n.b.of[out[0].feature] == report.OfRecords && held < leastHeld {
		return nil
	}
	return out
}

// write writes parts of which records have one or the other.
func (n *namer) write(parts []naming, or string) string {
	last := len(parts) - 1
	if n.b.words() || last == 0 {
		return joined(parts)
	}
	between := ", "
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = p.text
		if strings.Contains(p.text, ",") {
			between = " " + or + " "
		}
	}
	return strings.Join(words[:last], between) + " " + or + " " + words[last]
}
