package report

import "fmt"

// FeatureTree is what may be told of a tree of features, which of them come together:
// every number of it has passed the gate.
type FeatureTree struct {
	Ring     Ring          `json:"ring,omitempty"`
	Limit    int           `json:"limit,omitempty" gate:"setting"`
	Rounded  int           `json:"rounded,omitempty" gate:"setting"`
	Records  Count         `json:"records"`
	Features int           `json:"features" gate:"features"` // in the tree
	Of       int           `json:"of" gate:"features"`       // in all
	Nodes    []FeatureNode `json:"nodes"`
	Alone    []string      `json:"alone"`
	// For says for whom it is, "" where it is open.
	For string `json:"-"`
}

// FeatureNode is a feature, or a group of them. A group stands before what it holds.
type FeatureNode struct {
	ID      string `json:"id"` // its path: "1.2" is the second member of group 1
	Parent  string `json:"parent,omitempty"`
	Feature string `json:"feature,omitempty"` // "" for a group
	Title   string `json:"title,omitempty"`
	Members int    `json:"members,omitempty" gate:"features"`
	Count   Count  `json:"count"` // records with the feature; of a group, with both of Pair
	// Pair are, in words, the two members that come together most clearly, and Times how many times
	// as often they do as by chance.
	Pair    []string `json:"pair,omitempty"`
	Times   Number   `json:"times"`
	Length  Number   `json:"length"`            // −log of the correlation with the cause above
	Repeats bool     `json:"repeats,omitempty"` // both halves of the records show the group
}

// Trees returns the number of groups that belong to no other.
func (t *FeatureTree) Trees() int {
	n := 0
	for i := range t.Nodes {
		if t.Nodes[i].Parent == "" {
			n++
		}
	}
	return n
}

// Words tell of a node in one line: a feature and its share of the records, or what
// comes together most clearly in a group.
func (t *FeatureTree) Words(n *FeatureNode) string {
	if n.Feature != "" {
		words := n.Feature
		if n.Title != "" {
			words += "  " + n.Title
		}
		if share, ok := t.Share(n); ok {
			words += fmt.Sprintf("  %.1f %%", 100*share)
		}
		return words
	}
	words := fmt.Sprintf("%s: %s features. Most clearly: %s and %s", n.ID, Thousands(n.Members), n.Pair[0], n.Pair[1])
	if times, ok := n.Times.Value(); ok {
		words += fmt.Sprintf(", %.1f times as often together as by chance", times)
	}
	if !n.Repeats {
		words += "; half of the records shows other features in it"
	}
	return words
}

// Share returns the share of the records that have a feature; ok is false where it is
// withheld.
func (t *FeatureTree) Share(n *FeatureNode) (share float64, ok bool) {
	have, ok := n.Count.Value()
	all, known := t.Records.Value()
	if !ok || !known || all == 0 {
		return 0, false
	}
	return float64(have) / float64(all), true
}
