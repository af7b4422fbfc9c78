package explain

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
)

// Two runs are compared without their records in memory: a record is stood for
// by a hash of its id and one of what it holds. Where even these are too many
// for the memory allowed, they are taken in portions by id, and the records are
// read once for each.

// recordFacts are what a first look tells of the records of one side.
type recordFacts struct {
	records, rows  int
	features       int
	kind           record.Kind
	ids, sequences bool
	numbered       bool // the ids are the numbers of the records
}

// readFacts reads the records once.
func readFacts(ctx context.Context, r dataset.Data) (recordFacts, error) {
	f := recordFacts{numbered: true}
	err := r.Each(ctx, func(first int, d *dataset.Dataset) error {
		f.kind, f.ids, f.sequences, f.features = d.Kind, d.IDs != nil, d.Steps != nil, d.Rows.Dim
		f.records += d.Len()
		f.rows += d.Rows.N()
		for i := range d.Len() {
			if f.numbered = f.numbered && d.ID(i) == strconv.Itoa(first+i+1); !f.numbered {
				break
			}
		}
		return nil
	})
	return f, err
}

// matcher pairs the records of two sides. Records that have the same id several
// times are paired in order. Sequences are paired step by step where they are
// equally long.
type matcher struct {
	sides  [2]dataset.Data
	facts  [2]recordFacts
	place  [2][]int32 // of every feature: its number among the common ones, or -1
	common int
	byID   bool
	memory int64 // for the hashes; 0: any
}

func newMatcher(sides [2]dataset.Data, facts [2]recordFacts, common [][2]int32, memory int64) *matcher {
	m := &matcher{sides: sides, facts: facts, common: len(common), memory: memory}
	for s := range sides {
		m.place[s] = places(facts[s].features, common, s)
	}
	m.byID = facts[0].ids && facts[1].ids
	return m
}

// possible reports whether records can be paired at all.
func (m *matcher) possible() bool {
	a, b := m.facts[0], m.facts[1]
	return a.sequences == b.sequences && (m.byID || a.records == b.records)
}

// how says by what the paired records were found, given how many rows were
// paired and how many of these are alike. The numbers of records mean nothing
// unless the records look the same.
func (m *matcher) how(rows, same int) report.Matching {
	numbered := !m.byID || m.facts[0].numbered && m.facts[1].numbered
	switch {
	case rows == 0 && m.byID, numbered && m.differ(rows, same):
		return report.ByFeatures
	case m.byID:
		return report.ByID
	}
	return report.ByPosition
}

// differ reports whether most of the paired rows differ in the features that
// both sides have. Where these are less than half of the features of either,
// nothing can be said.
func (m *matcher) differ(rows, same int) bool {
	return 2*m.common >= max(m.facts[0].features, m.facts[1].features) && 2*same < rows
}

// hashBytes is what a record takes while it is paired, about.
const hashBytes = 28

// each hands over the first rows of every pair of records, how many rows they
// have, and how many of these are alike.
func (m *matcher) each(ctx context.Context, visit func(a, b, rows, same int)) error {
	portions := 1
	if m.memory > 0 {
		portions += int(hashBytes * int64(m.facts[0].rows+m.facts[1].rows) / m.memory)
	}
	for p := range portions {
		a, err := m.portion(ctx, 0, p, portions)
		if err != nil {
			return err
		}
		b, err := m.portion(ctx, 1, p, portions)
		if err != nil {
			return err
		}
		join(a, b, visit)
	}
	return ctx.Err()
}

// portion are some of the records of a side, by their hashes.
type portion struct {
	key     []uint64 // of every record: the hash of its id, or its number
	first   []int32  // its first row
	order   []int32  // the records by key
	ends    []int32  // of sequences: where its rows end in content
	content []uint32 // of every row: the hash of what it holds
}

// portion reads the records of a side that fall into portion p of n.
func (m *matcher) portion(ctx context.Context, side, p, n int) (*portion, error) {
	out, row := &portion{}, 0
	expected := m.facts[side].records/n + m.facts[side].records/n/16 + 16
	out.key, out.first, out.content = make([]uint64, 0, expected), make([]int32, 0, expected), make([]uint32, 0, expected)
	err := m.sides[side].Each(ctx, func(first int, d *dataset.Dataset) error {
		for i := range d.Len() {
			key := uint64(first + i)
			if m.byID {
				key = hashID(d.ID(i))
			}
			from, to := i, i+1
			if d.Steps != nil {
				from, to = d.Steps[i]-d.Steps[0], d.Steps[i+1]-d.Steps[0]
			}
			if key%uint64(n) == uint64(p) {
				out.key, out.first = append(out.key, key), append(out.first, int32(row+from))
				for r := from; r < to; r++ {
					out.content = append(out.content, hashRow(d, r, m.place[side]))
				}
				if d.Steps != nil {
					out.ends = append(out.ends, int32(len(out.content)))
				}
			}
		}
		row += d.Rows.N()
		return nil
	})
	out.order = make([]int32, len(out.key))
	for i := range out.order {
		out.order[i] = int32(i)
	}
	slices.SortFunc(out.order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(out.key[x], out.key[y]), cmp.Compare(x, y))
	})
	return out, err
}

// rows returns what the rows of a record hold.
func (p *portion) rows(i int32) []uint32 {
	if p.ends == nil {
		return p.content[i : i+1]
	}
	from := int32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.content[from:p.ends[i]]
}

// join pairs the records of equal keys, in order.
func join(a, b *portion, visit func(a, b, rows, same int)) {
	for i, j := 0, 0; i < len(a.order) && j < len(b.order); {
		x, y := a.order[i], b.order[j]
		switch c := cmp.Compare(a.key[x], b.key[y]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			i, j = i+1, j+1
			if p, q := a.rows(x), b.rows(y); len(p) == len(q) {
				same := 0
				for r := range p {
					if p[r] == q[r] {
						same++
					}
				}
				visit(int(a.first[x]), int(b.first[y]), len(p), same)
			}
		}
	}
}

// places returns, for every feature of a side, its number among the common
// ones, or -1.
func places(dim int, common [][2]int32, side int) []int32 {
	out := make([]int32, dim)
	for h := range out {
		out[h] = -1
	}
	for n, pair := range common {
		if int(pair[side]) < dim {
			out[pair[side]] = int32(n)
		}
	}
	return out
}

// hashID returns a hash of an id (FNV-1a, mixed).
func hashID(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return mix(h)
}

// hashRow returns a hash of the values of a row that are not zero, by common
// feature; missing values are all alike. The order of the features does not
// matter, since their numbers differ between the sides.
func hashRow(d *dataset.Dataset, row int, place []int32) uint32 {
	sum := uint64(0)
	eachEntry(d, row, func(h int, v float64) {
		n := place[h]
		if n < 0 || v == 0 {
			return
		}
		if v != v {
			v = math.NaN() // one of its many forms
		}
		sum += mix(math.Float64bits(v) ^ mix(uint64(n)+1))
	})
	return uint32(mix(sum) >> 32)
}

// mix spreads the bits of a number over all of them (the last steps of
// MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
