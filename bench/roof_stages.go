package main

import (
	"fmt"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/sparse"
)

// What an entry of rows in memory takes: a number and a count.
const entryBytes = 8

// roofStages are the loops that fits spend their time in, each on rows of the
// shape it meets there. Bytes are those that must pass between the core and
// its tables: a row of the table for each entry that is read, two for each that
// is added to.
func roofStages() []stage {
	var out []stage
	docs := synth.Corpus(10, 4096, 3000, 10, true).Rows
	for _, l := range []int{16, 64} {
		out = append(out, passStage(docs, l))
	}
	for _, l := range []int{10, 20, 60} {
		out = append(out, cubeStage(l))
	}
	out = append(out, gemmStage(), roundStage(10), roundStage(50))
	patients := synth.Patients(1, 4096, patientCodes, patientGroups, codesEach).Rows
	for _, k := range []int{2, patientGroups} {
		out = append(out, emStage(patients, k))
	}
	return append(out, pairStage(patients))
}

// passStage is one look at documents through a table of l columns and back:
// a pass of the search for the subspace.
func passStage(rows sparse.Rows, l int) stage {
	f := &kernel.Fused{
		Ptr: rows.Ptr, Index: rows.Index, Value: rows.Value, L: l,
		B: ones32(rows.Dim * l), Second: make([]float32, rows.Dim*l), Weights: ones32(2 * rows.N()),
	}
	nnz := float64(rows.NNZ())
	return stage{
		name: fmt.Sprintf("pass over documents, %d columns, single precision", l), flops: 4 * nnz * float64(l), single: true,
		bytes: nnz * float64(3*4*l+entryBytes), table: 2 * 4 * rows.Dim * l, run: func() { f.Run(); clear(f.Second) },
	}
}

// cubeStage sums up the whitened tensor of 4096 records. Of a symmetric cube
// only the different entries count.
func cubeStage(l int) stage {
	const n = 4096
	ld := (l + kernel.Lanes32 - 1) / kernel.Lanes32 * kernel.Lanes32
	z, w := ones32(n*ld), ones32(n)
	dst, buffer := make([]float64, l*(l+1)*(l+2)/6), make([]float32, kernel.Buffer32(ld))
	return stage{
		name: fmt.Sprintf("whitened tensor, %d directions, single precision", l), flops: 2 * n * float64(len(dst)), single: true,
		run: func() { kernel.Cube32(dst, z, w, l, ld, buffer) },
	}
}

// gemmStage multiplies panels in double precision.
func gemmStage() stage {
	const n = 240
	m := func() kernel.Matrix {
		x := make([]float64, n*n)
		for i := range x {
			x[i] = 1
		}
		return kernel.Matrix{Rows: n, Cols: n, Stride: n, Data: x}
	}
	a, b, c := m(), m(), m()
	return stage{name: "product of matrices, 240×240, double precision", flops: 2 * n * n * n, run: func() { kernel.Gemm(c, a, b) }}
}

// roundStage takes rounds of inference of two documents of 112 different words.
func roundStage(k int) stage {
	const words, rounds = 112, 200
	m := (k + kernel.MixRows - 1) / kernel.MixRows * kernel.MixRows
	mix := func() *kernel.Mix {
		lanes := (m + kernel.MixLanes - 1) / kernel.MixLanes * kernel.MixLanes
		one := &kernel.Mix{
			N: words, M: m, Panel: make([]float32, m*words), X: ones32(words), Alpha: ones32(lanes), Gamma: ones32(lanes),
			E: make([]float32, lanes), Sum: make([]float32, lanes), P: make([]float32, words), F: make([]float32, words),
			Most: rounds, Tol: -1, // no end but the last round
		}
		for i := range one.Panel {
			one.Panel[i] = 1 / float32(1+i%7)
		}
		return one
	}
	rows := []*kernel.Mix{mix(), mix()}
	return stage{
		name: fmt.Sprintf("rounds of inference, %d topics, single precision", k), flops: 2 * rounds * 4 * words * float64(m), single: true,
		run: func() { kernel.MixRounds(rows) },
	}
}

// emStage is a step of EM over patients.
func emStage(rows sparse.Rows, k int) stage {
	bias, slope := make([]float64, k), make([]float64, rows.Dim*k)
	for i := range slope {
		slope[i] = -4 + float64(i%13)/4
	}
	mix := kernel.NewMixture(rows.Dim, k, bias, slope)
	sums := mix.NewSums()
	width := max(4, k) // a row of the table: at least four numbers
	nnz, n := float64(rows.NNZ()), float64(rows.N())
	return stage{
		name:  fmt.Sprintf("step of EM over patients, %d groups, single precision", k),
		bytes: nnz*float64(3*4*width+entryBytes/2) + n*float64(4*4*width), table: 2 * 4 * rows.Dim * width,
		run: func() { sums.Add(rows.Ptr, rows.Index, nil) },
	}
}

// pairStage counts the pairs of codes of patients.
func pairStage(rows sparse.Rows) stage {
	table := make([]int32, rows.Dim*(rows.Dim+1)/2)
	pairs := 0.0
	for i := range rows.N() {
		l := float64(rows.Ptr[i+1] - rows.Ptr[i])
		pairs += l * (l + 1) / 2
	}
	return stage{
		name: "counts of pairs of codes", bytes: 2 * 4 * pairs, table: 4 * len(table),
		run: func() { kernel.Pairs(table, rows.Ptr, rows.Index, rows.Dim) },
	}
}

func ones32(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = 1
	}
	return x
}
