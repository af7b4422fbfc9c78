package delimited

import (
	"slices"
	"sort"

	"github.com/moiety-go/moiety/record"
)

// assembler collects records with their entries into batches.
type assembler struct {
	source  *Source
	ptr     []int
	steps   []int
	feature []uint32
	value   []float64 // nil: ones
	times   []string  // of the steps of every record, where they have any
	written []byte    // times of the record at hand
	order   []int

	lastPtr, lastFeature int // sizes of the batch before, a guess at the next
}

const (
	batchRecords = 1 << 13
	batchEntries = 1 << 20
)

// records returns the number of records collected.
func (a *assembler) records() int {
	if a.source.plan.steps {
		return max(len(a.steps)-1, 0)
	}
	return max(len(a.ptr)-1, 0)
}

func (a *assembler) full() bool {
	return a.records() >= batchRecords || len(a.feature) >= batchEntries
}

// add collects one record.
func (a *assembler) add(feature []uint32, value, key []float64) {
	if a.source.plan.steps {
		a.sequence(feature, value, key)
		return
	}
	a.start()
	a.values(value, len(feature))
	a.feature = append(a.feature, feature...)
	a.ptr = append(a.ptr, len(a.feature))
}

func (a *assembler) start() {
	if a.ptr == nil {
		a.ptr = append(make([]int, 0, a.lastPtr), 0)
		a.feature = make([]uint32, 0, a.lastFeature)
	}
}

// values appends n values, making the ones explicit when needed.
func (a *assembler) values(value []float64, n int) {
	if value == nil && a.value == nil {
		return
	}
	for len(a.value) < len(a.feature) {
		a.value = append(a.value, 1)
	}
	if value != nil {
		a.value = append(a.value, value...)
		return
	}
	for range n {
		a.value = append(a.value, 1)
	}
}

// sequence collects one record of steps, in the order of time: entries of one
// time are one step, and steps of numbers have perStep entries.
func (a *assembler) sequence(feature []uint32, value, key []float64) {
	a.start()
	if a.steps == nil {
		a.steps = append(a.steps, 0)
	}
	a.order = a.order[:0]
	for i := range feature {
		a.order = append(a.order, i)
	}
	if !slices.IsSorted(key) {
		sort.SliceStable(a.order, func(i, j int) bool { return key[a.order[i]] < key[a.order[j]] })
	}
	per := a.source.plan.perStep
	inStep := 0
	a.written = a.written[:0]
	for at, i := range a.order {
		fresh := per == 0 && at > 0 && key[i] != key[a.order[at-1]] || per > 0 && at%per == 0
		if at > 0 && fresh {
			a.step(inStep)
			inStep = 0
		}
		if at == 0 || fresh {
			a.written = a.source.plan.appendTime(a.written, key[i])
		}
		if feature[i] == hole {
			continue
		}
		inStep++
		a.values(slice(value, i, i+1), 1)
		a.feature = append(a.feature, feature[i])
	}
	if len(feature) > 0 {
		a.step(inStep)
	}
	a.steps = append(a.steps, len(a.ptr)-1)
	if a.source.plan.timed() {
		a.times = append(a.times, string(a.written))
	}
}

func (a *assembler) step(entries int) {
	a.ptr = append(a.ptr, len(a.feature))
	if entries > 1 && !a.source.several.Load() {
		a.source.several.Store(true)
	}
}

// take returns the batch without ids and sides and begins a new one.
func (a *assembler) take() *record.Batch {
	a.start()
	b := &record.Batch{Ptr: a.ptr, Feature: a.feature, Value: a.value, Steps: a.steps, Kept: true}
	if a.times != nil {
		b.Side = [][]string{a.times} // behind the columns of the table
	}
	*a = assembler{source: a.source, order: a.order, lastPtr: len(a.ptr), lastFeature: len(a.feature) * 9 / 8}
	return b
}
