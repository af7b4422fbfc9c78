package fit

import (
	"context"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// hierarchy makes the tree over the groups of a verdict. There is one tree for
// the records: a size that is asked for cuts it, or extends it below the groups
// that the verdict claims.
type hierarchy struct {
	fam  family.Family
	data Training
	s    Settings
	v    *verdict.Verdict
	of   []int // of every part, see parts: the group of the claim that it lies in; nil where parts are these

	some    *pass.Local // copies of the records that the verdict looked at: see seen
	numbers []int       // and theirs among all
}

// newHierarchy prepares the tree over the groups of a verdict; settings are as they were given.
func newHierarchy(ctx context.Context, data Training, s Settings, v *verdict.Verdict) (*hierarchy, error) {
	s, err := s.resolved(ctx, data, true)
	if err != nil {
		return nil, err
	}
	if s, err = s.counted(ctx, data); err != nil {
		return nil, err
	}
	if v.Form == nil && s.shaped(data) { // too few records to judge have a shape all the same
		if _, v.Form, err = verdict.Clouds(ctx, data.Run, 1, verdict.Settings{Seed: s.Seed, Workers: s.Workers, Shape: s.Spec.Covariance}); err != nil {
			return nil, err
		}
	}
	s.Spec = formed(s.Spec, v.Form)
	s.Spec.Calm = v.Calm
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	data.Run = v.Far.Of(data.Run)
	return &hierarchy{fam: fam, data: data, s: s, v: v}, nil
}

func (h *hierarchy) settings() tree.Settings {
	return h.s.treeSettings(tree.Settings{Family: h.fam, Vocab: h.data.Vocab})
}

// make returns the tree with the evidence and the doubts of every split, and what
// was considered below every leaf.
func (h *hierarchy) make(ctx context.Context) (*tree.Result, error) {
	groups, err := h.claimed(ctx)
	if err != nil {
		return nil, err
	}
	settings := h.settings()
	settings.Outline = h.outlined(groups.K())
	r, err := tree.Joined(ctx, h.data.Run, settings, groups, h.again(nil))
	if err != nil {
		return nil, err
	}
	want := h.s.Tree
	if want.further(len(r.Groups)) {
		if r, err = h.further(ctx, r, groups); err != nil {
			return nil, err
		}
	}
	sites := h.data.Run.Can().Places > 1
	if !sites && !want.less(len(r.Tree.Leaf())) { // what is said of splits and of leaves does not hang together
		looks := []func(context.Context, *tree.Result) error{h.consider, h.doubt}
		return r, par.Do(ctx, h.s.Workers, len(looks), func(i int) error { return looks[i](ctx, r) })
	}
	if err := h.doubt(ctx, r); err != nil {
		return nil, err
	}
	if r, err = h.above(ctx, r); err != nil || sites { // the next split is looked for in records
		return r, err
	}
	return r, h.consider(ctx, r)
}

// outlined reports that a tree of k groups will be cut further: it then needs no evidence.
func (h *hierarchy) outlined(k int) bool {
	want := h.s.Tree
	return want.Leaves > k && want.Levels == 0 && h.data.Run.Can().Places == 1
}

// further cuts the tree over the claimed groups further, as far as that goes.
func (h *hierarchy) further(ctx context.Context, r *tree.Result, groups mixture.Params) (*tree.Result, error) {
	if h.data.Run.Can().Places > 1 {
		return nil, fmt.Errorf("fit: the records show %d groups, and groups are cut further where all records are in one place: ask for ‹groups›, or leave ‹leaves› and ‹levels› out", len(r.Groups))
	}
	more, err := h.extended(ctx, r, h.settings())
	switch {
	case err != nil:
		return nil, err
	case more != nil:
		return more, nil
	case h.outlined(groups.K()):
		return tree.Joined(ctx, h.data.Run, h.settings(), groups, h.again(nil))
	}
	return r, nil
}

// again returns the groups of both halves of the records, by the numbers of
// parts; nil where parts are the groups of the claim themselves.
func (h *hierarchy) again(part map[int]int) tree.Again {
	f := h.v.Found
	if f == nil || h.s.Tree.Stability == tree.StabilityOff {
		return tree.Again{}
	}
	out := tree.Again{Records: f.Records, Group: f.Halves}
	if part == nil {
		return out
	}
	for half, labels := range f.Halves {
		if labels == nil { // the half was too small for groups
			continue
		}
		out.Group[half] = make([]int, len(labels))
		for i, g := range labels {
			out.Group[half][i] = -1
			if p, ok := part[g]; ok {
				out.Group[half][i] = p
			}
		}
	}
	return out
}

// extended returns the tree with more leaves than the verdict claims groups; nil where none
// of these can be cut.
func (h *hierarchy) extended(ctx context.Context, r *tree.Result, settings tree.Settings) (*tree.Result, error) {
	leaves := r.Tree.Leaf()
	number, part := make([]int32, len(r.Tree.Nodes)), map[int]int{}
	for j, l := range leaves {
		number[l] = int32(j)
		part[r.Groups[j]] = j
	}
	within, err := h.asAsked(ctx, r, number, len(leaves))
	if err != nil {
		return nil, err
	}
	if within != nil {
		h.cut(r.Groups, within.cut)
		settings.Cut, settings.Known = within.cut, within.placed
		return tree.Joined(ctx, h.data.Run, settings, within.groups, h.again(part))
	}
	p, err := h.sampled(ctx, r.Leaf)
	if err != nil {
		return nil, err
	}
	for _, l := range leaves {
		p.level = append(p.level, r.Tree.Nodes[l].Level)
	}
	for i, l := range p.label {
		p.label[i] = number[l]
	}
	if err := p.extend(ctx, h.s.Tree.Leaves, h.s.Tree.Levels); err != nil {
		return nil, err
	}
	if len(p.cut) == 0 {
		return nil, nil
	}
	groups, err := p.mixture(ctx, h.s.Refine != None && (len(leaves) == 1 || h.v.Plain))
	if err != nil {
		return nil, err
	}
	h.cut(r.Groups, p.cut)
	settings.Cut = p.cut
	return tree.Joined(ctx, h.data.Run, settings, groups, h.again(part))
}

// cut notes of which groups of the claim parts are: the first parts are these groups, those
// behind them were cut from others.
func (h *hierarchy) cut(groups, from []int) {
	h.of = slices.Clone(groups)
	for _, part := range from {
		h.of = append(h.of, h.of[part])
	}
}

// inClaim is the group of the claim that a part lies in.
func (h *hierarchy) inClaim(part int) int {
	if h.of == nil {
		return part
	}
	return h.of[part]
}

// sampled takes records to cut groups on, all or enough to find as many groups as
// were asked for, with the leaf of each.
func (h *hierarchy) sampled(ctx context.Context, leaf []int32) (*parts, error) {
	groups := max(h.s.Tree.Leaves, 1<<min(h.s.Tree.Levels, mostLevels))
	step := max(1, len(leaf)/max(startRecords, groupRecords*groups))
	p := &parts{fam: h.fam, data: h.data, s: h.s, form: h.v.Form}
	if rows := h.data.Run.Can().Rows; step == 1 && rows != nil {
		p.rows, p.label = *rows, slices.Clone(leaf)
		return p, nil
	}
	some, err := pass.Sample(ctx, h.data.Run, step)
	if err != nil {
		return nil, err
	}
	p.rows = some.Rows()
	for i := range p.rows.N() {
		p.label = append(p.label, leaf[pass.Drawn(i, step)])
	}
	return p, nil
}

// further reports whether more than a tree of n groups is asked for.
func (s TreeShape) further(n int) bool { return s.Leaves > n || s.Levels > 0 }

// less reports whether less than a tree of n groups may be asked for; which splits are without
// a doubt is not known yet.
func (s TreeShape) less(n int) bool {
	return s.Leaves > 0 && s.Leaves < n || s.MaxLeaves > 0 && s.MaxLeaves < n || s.Levels > 0 || s.Cautious
}

// above cuts the tree where fewer groups, fewer levels or only clear splits were
// asked for.
func (h *hierarchy) above(ctx context.Context, r *tree.Result) (*tree.Result, error) {
	want, t := h.s.Tree, r.Tree
	cut, why := t.Leaf(), ""
	switch n := len(cut); {
	case want.Leaves > 0 && want.Leaves < n:
		cut, why = t.CutGroups(want.Leaves), "fewer groups were asked for"
	case want.MaxLeaves > 0 && want.MaxLeaves < n:
		cut, why = t.CutGroups(want.MaxLeaves), "no more groups were allowed"
	case want.Levels > 0:
		cut, why = t.CutLevel(want.Levels), "fewer levels were asked for"
	case want.Cautious:
		cut, why = clearOnly(t), "only splits without a doubt were asked for"
	}
	if why == "" || len(cut) == len(t.Leaf()) {
		return r, nil
	}
	under, label := t.Under(cut), make([]int32, len(r.Leaf))
	for i, l := range r.Leaf {
		label[i] = int32(under[l])
	}
	leaves, err := partitioned(ctx, h.fam, h.data, h.s, h.v.Form, len(cut), label)
	if err != nil {
		return nil, err
	}
	out, err := r.Above(ctx, h.data.Run, h.fam, cut, leaves, why)
	if err == nil && want.MaxLeaves > 0 {
		out.Tree.Capped = true
	}
	return out, err
}

// clearOnly returns the cut below which no split is without a doubt.
func clearOnly(t *tree.Tree) []int {
	holds := make([]bool, len(t.Nodes)) // the node or one below it has a clear split
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		holds[i] = holds[i] || !n.IsLeaf() && n.Split.Doubt == ""
		if holds[i] && n.Parent >= 0 {
			holds[n.Parent] = true
		}
	}
	var out []int
	var down func(i int)
	down = func(i int) {
		if !holds[i] {
			out = append(out, i)
			return
		}
		for _, c := range t.Nodes[i].Children {
			down(c)
		}
	}
	down(0)
	return out
}

// doubt sets the evidence of every split and what speaks against it.
func (h *hierarchy) doubt(ctx context.Context, r *tree.Result) error {
	t := r.Tree
	list, err := h.evidence(ctx, t, r.Groups)
	if err != nil {
		return err
	}
	for at, i := range h.claims(t) {
		s := *t.Nodes[i].Split
		s.Nats, s.Error = list[at].Nats, list[at].Error
		t.Nodes[i].Split = &s
	}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; !n.IsLeaf() {
			s := *n.Split
			s.Doubt = h.v.SplitDoubt(s.Finer, s.Stability, verdict.Evidence{Nats: s.Nats, Error: s.Error})
			n.Split = &s
		}
	}
	return nil
}

// claims lists the splits of a tree that the verdict claims.
func (h *hierarchy) claims(t *tree.Tree) (list []int) {
	for i := range t.Nodes {
		if n := &t.Nodes[i]; h.v.Found != nil && !n.IsLeaf() && !n.Split.Finer {
			list = append(list, i)
		}
	}
	return list
}

// evidence returns that of every split of the claim; groups are those of the leaves.
func (h *hierarchy) evidence(ctx context.Context, t *tree.Tree, groups []int) ([]verdict.Evidence, error) {
	var pairs [][2][]int
	for _, i := range h.claims(t) {
		pairs = append(pairs, h.sides(t, groups, i))
	}
	if len(pairs) == 0 {
		return nil, nil
	}
	return h.v.Found.Evidence(ctx, h.s.Workers, pairs)
}

// sides returns the groups of the claim on either side of a split.
func (h *hierarchy) sides(t *tree.Tree, groups []int, node int) (out [2][]int) {
	under := t.Under(t.Nodes[node].Children)
	for j, l := range t.Leaf() {
		g := h.inClaim(groups[j])
		if side := under[l]; side >= 0 && !slices.Contains(out[side], g) { // once, also where it was cut further
			out[side] = append(out[side], g)
		}
	}
	return out
}

// warnings says where the tree is another than was asked for.
func (h *hierarchy) warnings(t *tree.Tree) []warn.Warning {
	var out []warn.Warning
	n := len(t.Leaf())
	if t.Capped {
		out = append(out, treeWarnings(t)...)
	}
	if want := h.s.Tree.Leaves; want > n {
		out = append(out, warn.New(warn.Caution, "fewer-groups", "Ask for fewer groups.",
			"%d groups were asked for, and the records can be told apart into no more than %d.", want, n))
	}
	if n > h.v.Groups {
		out = append(out, warn.New(warn.Caution, "more-than-shown", "Read the finer groups as parts of the others: they describe, and may not be there in other records.",
			"%s.", h.beyond(n)))
	}
	return out
}

// beyond says that more groups were asked for than the records show.
func (h *hierarchy) beyond(n int) string {
	if h.v.Groups == 1 {
		return fmt.Sprintf("The tree has %d groups, because so many were asked for; the records show one", n)
	}
	return fmt.Sprintf("The tree has %d groups, because so many were asked for; the records show %d", n, h.v.Groups)
}
