package verdict

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/vocab"
)

// A column of numbers may hold one value again and again: nothing was spent, or the
// instrument saw nothing below its limit. Between that value and the others there is a
// gap which says nothing of groups. Such a column says two things: whether a record has
// that value, which is a flag, and which number it has otherwise.

// When a value of a column stands for something else than a number.
const (
	atomShare = .05 // of the records that have it
	atomTimes = 5   // as frequent as any other value but one like it
	leastAtom = 10  // records
	mostAtoms = 2   // of one column: what is below the scale, and what is above
)

// atomsOf returns the values of a column that stand for something else.
func atomsOf(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	var out []float64
	most := 0 // of the other values
	least := max(leastAtom, int(atomShare*float64(len(sorted))))
	var size []int
	for at := 0; at < len(sorted); {
		end := at
		for end < len(sorted) && sorted[end] == sorted[at] {
			end++
		}
		if end == at { // missing
			at++
			continue
		}
		if end-at >= least {
			out, size = append(out, sorted[at]), append(size, end-at)
		} else {
			most = max(most, end-at)
		}
		at = end
	}
	if len(out) == 0 || len(out) > mostAtoms || slices.Min(size) < atomTimes*most {
		return nil
	}
	if total := sum(floats(size)); total > (1-atomShare)*float64(len(sorted)) { // hardly a number is left
		return nil
	}
	return out
}

func floats(list []int) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

// withAtoms puts a flag beside every column of numbers in which a value stands for
// something else, at any place.
func withAtoms(codes []code, all normals.Table, places *strand) []code {
	var numbers [][]float64
	for _, c := range codes {
		if c.kind == vocab.Real {
			values := make([]float64, all.N)
			for i := range values {
				values[i] = c.raw(all.Row(i))
			}
			numbers = append(numbers, values)
		}
	}
	atoms, there := places.atoms(numbers)
	var out []code
	for _, c := range codes {
		out = append(out, c)
		if c.kind != vocab.Real {
			continue
		}
		if there[0] {
			out[len(out)-1].atoms = atoms[0]
			out = append(out, code{from: c.from, to: c.to, kind: vocab.Presence, atoms: atoms[0], flag: true})
		}
		atoms, there = atoms[1:], there[1:]
	}
	return out
}

// hasAtoms reports that a column of a table of numbers says two things.
func hasAtoms(all normals.Table, places *strand) bool {
	_, there := places.atoms(columnsOf(all))
	return slices.Contains(there, true)
}

// columnsOf returns the columns of a table.
func columnsOf(all normals.Table) [][]float64 {
	out := make([][]float64, all.D)
	for h := range out {
		out[h] = make([]float64, all.N)
		for i := range out[h] {
			out[h][i] = all.X[i*all.D+h]
		}
	}
	return out
}

// realColumns are the columns of a table of measurements.
func realColumns(d int) []vocab.Column {
	out := make([]vocab.Column, d)
	for h := range out {
		out[h] = vocab.Column{Kind: vocab.Real, From: h, To: h + 1}
	}
	return out
}

// counted once: records that are equal to others beyond chance (the same person twice)
// would make heaps of themselves.
const (
	equalTimes = 20 // as many pairs as columns that go their own ways would give
	equalMore  = 2  // pairs beyond that
)

// distinctRows counts equal records once, where far more are equal than chance makes
// so, and reports whether it did. Only columns of numbers on a fine scale can tell:
// answers are equal by chance, all the more in groups.
func distinctRows(all normals.Table, record []int, columns []vocab.Column) (normals.Table, []int, bool) {
	expected, fine := float64(all.N)*float64(all.N-1)/2, false
	for _, c := range columns {
		if c.Kind != vocab.Real {
			continue
		}
		values := make([]float64, 0, all.N)
		for i := range all.N {
			if v := all.Row(i)[c.From]; v == v {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		if len(values) < 2 || values[0] == values[len(values)-1] {
			continue
		}
		if _, sd := spread(values); unit(values) > coarseUnit*sd {
			continue
		}
		fine = true
		expected *= chanceEqual(values)
	}
	if !fine {
		return all, record, false
	}
	first := map[string]int{}
	pairs, list := 0, []int(nil)
	for i := range all.N {
		key := make([]byte, 0, 8*all.D)
		for _, v := range all.Row(i) {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
		}
		if first[string(key)]++; first[string(key)] == 1 {
			list = append(list, i)
		}
		pairs += first[string(key)] - 1
	}
	if float64(pairs) <= equalTimes*(expected+equalMore) {
		return all, record, false
	}
	kept := make([]int, len(list))
	for at, i := range list {
		kept[at] = record[i]
	}
	return all.Rows(list), kept, true
}

// chanceEqual is the share of the pairs of sorted values that are equal.
func chanceEqual(sorted []float64) float64 {
	same := 0
	for at := 0; at < len(sorted); {
		end := at
		for end < len(sorted) && sorted[end] == sorted[at] {
			end++
		}
		same += (end - at) * (end - at - 1)
		at = end
	}
	return float64(same) / (float64(len(sorted)) * float64(len(sorted)-1))
}
