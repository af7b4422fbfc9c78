package tree

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/vocab"
)

// File is the kind of tree files. Version 2 has the contents of version 1; it
// tells that the run folder around the file has a list of checksums.
var File = container.Kind{Magic: "moiety tree\n", Version: 2}

// head is a tree without its matrices.
type head struct {
	Spec       model.Spec       `json:"spec"`
	Vocab      *vocab.Vocab     `json:"vocab"`
	Provenance model.Provenance `json:"provenance"`
	Capped     bool             `json:"capped,omitempty"`
	Leaves     []float64        `json:"leaves,omitempty"` // weights of the leaf mixture
	Nodes      []nodeHead       `json:"nodes"`
}

type nodeHead struct {
	ID       string     `json:"id"`
	Parent   int        `json:"parent"`
	Children []int      `json:"children,omitempty"`
	Level    int        `json:"level"`
	N        int        `json:"n"`
	Share    float64    `json:"share"`
	Split    *splitHead `json:"split,omitempty"`
}

type splitHead struct {
	Gain       float64      `json:"gain"`
	Penalty    float64      `json:"penalty"`
	Spectrum   []float64    `json:"spectrum,omitempty"`
	Gap        float64      `json:"gap"`
	Separation float64      `json:"separation"`
	Sizes      [2]int       `json:"sizes"`
	Open       int          `json:"open,omitempty"`
	Stability  float64      `json:"stability"`
	Features   []Difference `json:"features,omitempty"`
	Refused    string       `json:"refused,omitempty"`
	Nats       float64      `json:"nats,omitempty"`
	Error      float64      `json:"error,omitempty"`
	Finer      bool         `json:"finer,omitempty"`
	Doubt      string       `json:"doubt,omitempty"`
	Second     bool         `json:"second,omitempty"`
	Pair       []float64    `json:"pair,omitempty"` // weights of the pair
	Offset     [2]float64   `json:"offset"`
	Absolute   bool         `json:"absolute,omitempty"`
}

// Prefixes of the matrices.
const (
	meansName  = "means" // d×nodes
	leafPrefix = "leaves/"
	ruleSuffix = "/rule"
	pairSuffix = "/pair/"
)

// Save writes the tree to a file.
func (t *Tree) Save(path string) error {
	data, err := t.Bytes()
	if err != nil {
		return err
	}
	return container.WriteFile(path, data)
}

// Bytes returns the tree as the bytes of a file.
func (t *Tree) Bytes() ([]byte, error) {
	h := head{Spec: t.Spec, Vocab: t.Vocab, Provenance: t.Provenance, Capped: t.Capped}
	means := mat.NewDense(len(t.Nodes[0].Center), len(t.Nodes), nil)
	matrices := []container.Matrix{{Name: meansName, M: means}}
	if t.Leaves != nil {
		h.Leaves = t.Leaves.Weights
		matrices = append(matrices, container.Named(leafPrefix, t.Leaves.Matrices())...)
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		means.SetCol(i, n.Center)
		nh := nodeHead{ID: n.ID, Parent: n.Parent, Children: n.Children, Level: n.Level, N: n.N, Share: n.Share}
		if s := n.Split; s != nil {
			nh.Split = &splitHead{
				Gain: s.Gain, Penalty: s.Penalty, Spectrum: s.Spectrum, Gap: s.Gap, Separation: s.Separation,
				Sizes: s.Sizes, Open: s.Open, Stability: s.Stability, Features: s.Features, Refused: s.Refused, Second: s.Second,
				Nats: s.Nats, Error: s.Error, Finer: s.Finer, Doubt: s.Doubt,
			}
			if s.Rule != nil {
				nh.Split.Offset, nh.Split.Absolute = s.Rule.Offset, s.Rule.Absolute
				matrices = append(matrices, container.Matrix{Name: strconv.Itoa(i) + ruleSuffix, M: s.Rule.Vectors})
			}
			if s.Pair != nil {
				nh.Split.Pair = s.Pair.Weights
				matrices = append(matrices, container.Named(strconv.Itoa(i)+pairSuffix, s.Pair.Matrices())...)
			}
		}
		h.Nodes = append(h.Nodes, nh)
	}
	data, err := File.Pack(h, matrices)
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	return data, nil
}

// Read decodes a tree file held in memory; more are families that are not in the
// table.
func Read(data []byte, more ...family.Family) (*Tree, error) {
	var h head
	matrices, err := File.Unpack(data, &h)
	if err != nil {
		return nil, err
	}
	means := matrices[meansName]
	if means == nil || h.Vocab == nil || len(h.Nodes) == 0 || means.RawMatrix().Cols != len(h.Nodes) {
		return nil, container.ErrDamaged
	}
	t := &Tree{Spec: h.Spec.With(more), Vocab: h.Vocab, Provenance: h.Provenance, Capped: h.Capped}
	if h.Leaves != nil {
		p, ok := mixture.FromMatrices(matrices, leafPrefix, h.Leaves)
		if !ok {
			return nil, container.ErrDamaged
		}
		t.Leaves = &p
	}
	for i, n := range h.Nodes {
		if n.Parent >= i {
			return nil, container.ErrDamaged
		}
		t.Nodes = append(t.Nodes, Node{
			ID: n.ID, Parent: n.Parent, Children: n.Children, Level: n.Level, N: n.N, Share: n.Share,
			Center: mat.Col(nil, i, means), Split: n.Split.split(matrices, strconv.Itoa(i)),
		})
	}
	return t, t.check()
}

// split restores the evidence of a node.
func (s *splitHead) split(matrices map[string]*mat.Dense, number string) *Split {
	if s == nil {
		return nil
	}
	out := &Split{
		Gain: s.Gain, Penalty: s.Penalty, Spectrum: s.Spectrum, Gap: s.Gap, Separation: s.Separation,
		Sizes: s.Sizes, Open: s.Open, Stability: s.Stability, Features: s.Features, Refused: s.Refused, Second: s.Second,
		Nats: s.Nats, Error: s.Error, Finer: s.Finer, Doubt: s.Doubt,
	}
	if v := matrices[number+ruleSuffix]; v != nil {
		out.Rule = &Rule{Vectors: v, Offset: s.Offset, Absolute: s.Absolute}
	}
	if p, ok := mixture.FromMatrices(matrices, number+pairSuffix, s.Pair); ok {
		out.Pair = &p
	}
	return out
}

// check refuses a tree whose nodes do not hang together or that cannot place
// records.
func (t *Tree) check() error {
	for i := range t.Nodes {
		if !t.hangs(i) || !t.places(i) {
			return container.ErrDamaged
		}
	}
	if len(t.Nodes[0].Center) != t.Vocab.Len() || (t.Leaves != nil && (len(t.Leaf()) != t.Leaves.K() || t.Leaves.Check() != nil)) {
		return container.ErrDamaged
	}
	return nil
}

// hangs reports that node i has a parent that knows it and children that know
// it.
func (t *Tree) hangs(i int) bool {
	n := &t.Nodes[i]
	if (i == 0) != (n.Parent == -1) || n.Parent < -1 || n.Parent >= i {
		return false
	}
	if i > 0 && !slices.Contains(t.Nodes[n.Parent].Children, i) {
		return false
	}
	if len(n.Children) != 0 && len(n.Children) != 2 {
		return false
	}
	for _, c := range n.Children {
		if c <= i || c >= len(t.Nodes) || t.Nodes[c].Parent != i {
			return false
		}
	}
	return true
}

// places reports that the split of node i, if it has one, can place records.
func (t *Tree) places(i int) bool {
	n := &t.Nodes[i]
	if n.Split == nil {
		return n.IsLeaf()
	}
	d := len(n.Center)
	if r := n.Split.Rule; r != nil {
		if rows, cols := r.Vectors.Dims(); rows != d || cols != 2 {
			return false
		}
	}
	if p := n.Split.Pair; p != nil && (p.K() != 2 || p.Dim() != d || p.Check() != nil) {
		return false
	}
	return n.IsLeaf() || t.Leaves != nil || n.Split.Pair != nil || n.Split.Rule != nil
}
