package verdict

import (
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
)

// A second look at measurements by another kind of thing than clouds: which records hang
// together by their nearest neighbours. Rings and moons are groups by their shape, which
// clouds cut across or join. What hangs together is no claim: single links join what is two.
// But where a claimed group holds two parts that no link joins, nobody is sure of it.

const (
	linkedTo   = 10   // nearest neighbours of a record; two are linked where each is among those of the other
	threadRows = 2000 // records that are looked at, at most
	partRows   = 20   // records of a part
)

// shaped doubts where a group of these rows holds two parts that neighbours do not join.
func (v *Verdict) shaped(t normals.Table, group []int, w Words) {
	if torn(t, group) {
		v.Against = append(v.Against, Doubt{ByShape, fmt.Sprintf("Nearest neighbours hang together in other parts than these: there may be groups of %s by shape, as rings are.", w.Records)})
	}
}

// torn reports that some group holds two parts that neighbours do not join; nil is one group.
func torn(t normals.Table, group []int) bool {
	step := 1 + (t.N-1)/threadRows
	var rows []int
	for i := 0; i < t.N; i += step {
		rows = append(rows, i)
	}
	part := hanging(t, rows)
	type cell struct{ part, group int }
	size, held := map[cell]int{}, map[int]int{}
	for at, i := range rows {
		c := cell{part[at], 0}
		if group != nil {
			c.group = group[i]
		}
		if size[c]++; size[c] == partRows {
			held[c.group]++
		}
	}
	for _, parts := range held {
		if parts > 1 {
			return true
		}
	}
	return false
}

// hanging returns the part of every row that is named, as the number of one of its rows.
func hanging(t normals.Table, rows []int) []int {
	near := make([][]int, len(rows))
	for a := range rows {
		near[a] = nearest(t, rows, a)
	}
	part := rootsOf(len(rows))
	for a, list := range near {
		for _, b := range list {
			if slices.Contains(near[b], a) && part[a] != part[b] {
				part.join(part[a], part[b])
			}
		}
	}
	return part
}

// nearest returns the places of the rows next to the one at place a.
func nearest(t normals.Table, rows []int, a int) []int {
	x, out, far := t.X[rows[a]*t.D:][:t.D], make([]int, 0, linkedTo+1), make([]float64, 0, linkedTo+1)
	for b, j := range rows {
		square := 0.0
		for h, v := range t.X[j*t.D:][:t.D] {
			square += (v - x[h]) * (v - x[h])
		}
		if a == b || len(far) == linkedTo && square >= far[linkedTo-1] {
			continue
		}
		at, _ := slices.BinarySearch(far, square)
		out, far = slices.Insert(out, at, b), slices.Insert(far, at, square)
		if len(far) > linkedTo {
			out, far = out[:linkedTo], far[:linkedTo]
		}
	}
	return out
}
