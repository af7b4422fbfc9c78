package fit_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// streamed returns data that lie elsewhere, of which so many bytes may be kept.
func streamed(rows sparse.Rows, kind record.Kind, workers int, memory int64) fit.Training {
	d := dataOf(rows, kind, workers)
	d.Run, d.Memory = passtest.Streamed(rows, workers), memory
	return d
}

func grown(t *testing.T, d fit.Training, s fit.Settings) *fit.Outcome {
	t.Helper()
	o, err := fit.Tree(context.Background(), d, s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestTreeOfStreamedRecords: records that fit give the tree of those in memory,
// bit by bit; of those that do not, a part gives a tree that places all of them
// about as well, whatever the number of workers.
func TestTreeOfStreamedRecords(t *testing.T) {
	numtest.NotShort(t)
	const n = 5*4096*4 + 321
	set := synth.Patients(4, n, 60, 6, 8)
	for name, s := range map[string]fit.Settings{
		"with EM":  {Tree: fit.TreeShape{Leaves: 6, Stability: "off", Splitter: "sidiwo"}, Spec: model.Spec{Model: "bernoulli"}},
		"by rules": {Tree: fit.TreeShape{Leaves: 6, Stability: "off", Free: true}, Spec: model.Spec{Model: "bernoulli"}, Refine: fit.None},
	} {
		whole := grown(t, dataOf(set.Rows, record.Presence, 2), s)
		if got := grown(t, streamed(set.Rows, record.Presence, 2, 1<<30), s); !bytes.Equal(saved(t, got), saved(t, whole)) || !slices.Equal(got.Group, whole.Group) {
			t.Errorf("%s: records that fit into memory give another tree when they are streamed", name)
		}
		const memory = 2 << 20 // of about 3.3 MB
		part := grown(t, streamed(set.Rows, record.Presence, 2, memory), s)
		for _, workers := range []int{1, 8} {
			if again := grown(t, streamed(set.Rows, record.Presence, workers, memory), s); !bytes.Equal(saved(t, again), saved(t, part)) {
				t.Errorf("%s: other bytes with %d workers", name, workers)
			}
		}
		if root := part.Tree.Nodes[0]; root.N != n || len(part.Group) != n {
			t.Errorf("%s: %d records in the root, %d placed, want %d", name, root.N, len(part.Group), n)
		}
		if !slices.ContainsFunc(part.Tree.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == "grown-on-part" }) {
			t.Errorf("%s: the tree does not say that it was grown on part of the records", name)
		}
		of, err := agree.ARI(labels(part), set.Labels)
		if err != nil {
			t.Fatal(err)
		}
		best, err := agree.ARI(labels(whole), set.Labels)
		if err != nil {
			t.Fatal(err)
		}
		if of < best-.02 {
			t.Errorf("%s: ARI %.4f from a part, %.4f from all", name, of, best)
		}
		for i := range part.Tree.Nodes {
			if c := part.Tree.Nodes[i].Children; len(c) == 2 && part.Tree.Nodes[c[1]].N > part.Tree.Nodes[c[0]].N {
				t.Errorf("%s: node %s has its smaller child first", name, part.Tree.Nodes[i].ID)
			}
		}
	}
}

// TestTreeOfStreamedDocuments: topics that mix, their leaves refined on all.
func TestTreeOfStreamedDocuments(t *testing.T) {
	numtest.NotShort(t)
	set := synth.Corpus(3, 5*4096, 120, 3, true)
	s := fit.Settings{Tree: fit.TreeShape{Leaves: 3, Stability: "off"}, Spec: model.Spec{Model: "lda"}}
	whole := grown(t, dataOf(set.Rows, record.Counts, 2), s)
	if got := grown(t, streamed(set.Rows, record.Counts, 2, 1<<30), s); !bytes.Equal(saved(t, got), saved(t, whole)) {
		t.Error("documents that fit into memory give another tree when they are streamed")
	}
}

// TestSameTreeForWorkersMemoryAndDisk: the tree of the verdict, whole, cut and
// extended, has the same bytes for any number of workers, in memory and streamed.
func TestSameTreeForWorkersMemoryAndDisk(t *testing.T) {
	set := synth.Patients(4, 5000, 30, 3, 6)
	for _, shape := range []fit.TreeShape{{}, {Leaves: 2}, {Leaves: 5}, {Levels: 3}, {Cautious: true}} {
		s := fit.Settings{Tree: shape, Spec: model.Spec{Model: "bernoulli"}, Seed: 1}
		whole := grown(t, dataOf(set.Rows, record.Presence, 1), s)
		s.Workers = 2
		for name, data := range map[string]fit.Training{
			"2 workers":  dataOf(set.Rows, record.Presence, 2),
			"8 streamed": streamed(set.Rows, record.Presence, 8, 1<<10),
		} {
			if testing.Short() && name == "2 workers" {
				continue // TestBitsDoNotDependOnWorkers has them
			}
			if got := grown(t, data, s); !bytes.Equal(saved(t, got), saved(t, whole)) || !slices.Equal(got.Group, whole.Group) {
				t.Errorf("%+v, %s: another tree", shape, name)
			}
		}
		if testing.Short() {
			return
		}
	}
}

// TestTreeOfTooFew: where next to nothing fits, the error says what to do.
func TestTreeOfTooFew(t *testing.T) {
	set := synth.Patients(4, 20000, 30, 3, 6)
	s := fit.Settings{Tree: fit.TreeShape{Leaves: 3, Splitter: "sidiwo"}, Spec: model.Spec{Model: "bernoulli"}}
	for _, memory := range []int64{0, 1 << 10} {
		_, err := fit.Tree(context.Background(), streamed(set.Rows, record.Presence, 1, memory), s)
		if err == nil || !strings.Contains(err.Error(), "flat model") {
			t.Errorf("room for %d bytes: error %v", memory, err)
		}
	}
}
