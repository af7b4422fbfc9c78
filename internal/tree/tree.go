// Package tree splits records in two, again and again, by methods of moments
// ([T] ch. 5 and 6, [H]): a hierarchy of groups that a person can walk, with no
// number of groups to choose.
//
// Steps before: encode. Steps after: explain. Grow makes a Tree; a Tree places
// new records, can be cut at any height, and tells the evidence for each of
// its splits. It knows families by their contract only.
package tree

import (
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/vocab"
)

// Tree is a hierarchy of groups. It is immutable and safe for many goroutines.
type Tree struct {
	Spec       model.Spec
	Vocab      *vocab.Vocab
	Nodes      []Node // the root first, every child after its parent
	Provenance model.Provenance
	// Leaves holds the mixture of the leaves, in the order of Leaf; with it
	// records are placed. Where it is nil, records walk down by the pair or
	// the rule of each split.
	Leaves *mixture.Params
	// Capped says that the limit on the number of leaves, and not the
	// evidence, ended the growth.
	Capped bool
}

// Node is a group of the tree.
type Node struct {
	ID       string // its path: "1" is the root, "1.2" its second child
	Parent   int    // -1 for the root
	Children []int  // two, the larger first, or none
	Level    int    // the root's is 0
	N        int    // records
	Share    float64
	Center   []float64 // mean of each feature over its records
	// Split is the evidence for and against splitting the node: for an inner
	// node what was done, for a leaf what was considered and turned down. It
	// is nil where no split was looked for.
	Split *Split
}

// Split is the evidence of one split.
type Split struct {
	// Gain is the rise of the log-likelihood of records and labels, Penalty
	// what the rule asks for.
	Gain, Penalty float64
	// Spectrum holds the leading eigenvalues of the node's second moment, Gap
	// the fall after the second as a share of it, Separation how clearly the
	// third moments choose the rotation, from 0 to 1.
	Spectrum        []float64
	Gap, Separation float64
	Sizes           [2]int
	// Open is the number of records that the rule leaves open: they have no feature of those
	// that tell the sides apart, and lie on the larger one.
	Open int
	// Stability is the agreement (ARI) of splits of overlapping samples; -1
	// where it was not measured.
	Stability float64
	// Features are those that tell the children apart most, best first, with
	// the difference of the children's means in standard deviations.
	Features []Difference
	// Refused says in words why a leaf was not split; it is empty for inner
	// nodes.
	Refused string
	// Nats is how much worse records kept aside are described where the two
	// sides are taken for one, and Error its standard error over records; both
	// are 0 where it was not measured.
	Nats, Error float64
	// Finer says that the split goes beyond the number of groups that the
	// records show: it was asked for. Doubt says in words what speaks against
	// the split; it is empty where nothing does.
	Finer bool
	Doubt string
	// Pair is the model of the two children, Rule what places records without
	// a model; the other is nil.
	Pair *mixture.Params
	Rule *Rule
	// Second says that the split was found by second thoughts: one of the
	// grandchildren made the better first cut.
	Second bool
}

// Difference is a feature that differs between the two children.
type Difference struct {
	Feature int
	Z       float64 // mean in the first child less mean in the second, in standard deviations
}

// Rule is a split by two linear functions of a record: the child of the larger
// one, or of the larger modulus.
type Rule struct {
	Vectors  *mat.Dense // d×2
	Offset   [2]float64
	Absolute bool // compare moduli ([T] eq. 6.11)

	// The vectors are basis·rotation, where that is known while the tree grows: what was
	// seen of records in the basis (see seen) then places them.
	basis, rotation *mat.Dense
}

// IsLeaf reports whether the node has no children.
func (n *Node) IsLeaf() bool { return len(n.Children) == 0 }

// Leaf returns the numbers of the leaves, from left to right.
func (t *Tree) Leaf() []int {
	var out []int
	t.walk(0, func(i int) {
		if t.Nodes[i].IsLeaf() {
			out = append(out, i)
		}
	})
	return out
}

// walk visits the nodes below i, parents before children, left to right.
func (t *Tree) walk(i int, visit func(int)) {
	visit(i)
	for _, c := range t.Nodes[i].Children {
		t.walk(c, visit)
	}
}

// Find returns the number of the node of that id.
func (t *Tree) Find(id string) (int, bool) {
	for i := range t.Nodes {
		if t.Nodes[i].ID == id {
			return i, true
		}
	}
	return 0, false
}

// Depth returns the number of split levels.
func (t *Tree) Depth() int {
	d := 0
	for i := range t.Nodes {
		d = max(d, t.Nodes[i].Level)
	}
	return d
}

func childID(parent string, child int) string { return parent + "." + strconv.Itoa(child+1) }
