package encode

import (
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
)

// Features are counted the same by one worker and by several, whatever they are and whichever
// records stay.
func TestCountsOfSeveralWorkers(t *testing.T) {
	records := func(s Settings, name ...string) *encoder {
		f := &fake{schema: record.Schema{Format: "uci", Kind: record.Counts, Dict: record.NewDict(), Side: []string{"age"}}}
		for _, n := range name {
			f.schema.Dict.Add(n)
		}
		for i := range 40 {
			f.batches = append(f.batches, &record.Batch{
				Ptr: []int{0, 2, 2, 3}, Feature: []uint32{0, uint32(1 + i%2), 2}, Small: []uint8{1, uint8(1 + i), 255},
				Side: [][]string{{"1", "2", "3"}}, Distinct: true,
			})
		}
		e := newEncoder(f, s, &record.Problems{})
		if err := e.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := e.decide(); err != nil {
			t.Fatal(err)
		}
		if err := e.count(t.Context()); err != nil {
			t.Fatal(err)
		}
		return e
	}
	numbers, words := []string{"1", "2", "3"}, []string{"heart", "the", "kidney"}
	stopped := dataset.Encoding{Stopwords: "english"}
	for name, c := range map[string]struct {
		s     Settings
		names []string
	}{
		"several":      {Settings{Workers: 4}, numbers},
		"ids counted":  {Settings{Workers: 4, MaxMemory: 1 << 30}, numbers},
		"stop words":   {Settings{Workers: 4, Encoding: stopped}, words},
		"a condition":  {Settings{Workers: 4, Encoding: dataset.Encoding{Where: "age > 1"}}, numbers},
		"codes":        {Settings{Workers: 4, Encoding: dataset.Encoding{System: "icd9"}}, numbers},
		"small memory": {Settings{Workers: 4, MaxMemory: 1200, TempDir: t.TempDir()}, numbers},
	} {
		e := records(c.s, c.names...)
		one := c.s
		one.Workers = 1
		want := records(one, c.names...)
		e.sum.Settings, want.sum.Settings = Settings{}, Settings{}
		if !reflect.DeepEqual(e.stats, want.stats) || !reflect.DeepEqual(e.sum, want.sum) {
			t.Errorf("%s: counted\n%+v, want\n%+v", name, e.stats, want.stats)
		}
		if err := e.buffer.close(); err != nil {
			t.Error(err)
		}
	}
}

// Only what may be codes is asked whether it looks like them.
func TestVoteOfCodesOnly(t *testing.T) {
	for format, want := range map[string]int{"uci": 0, "long": 3} {
		f := &fake{schema: record.Schema{Format: format, Kind: record.Counts, Dict: record.NewDict()}}
		for _, n := range []string{"428.0", "401.9", "250.00"} {
			f.schema.Dict.Add(n)
		}
		f.batches = []*record.Batch{{Ptr: []int{0, 3, 5}, Feature: []uint32{0, 1, 2, 0, 1}, Small: []uint8{1, 1, 1, 1, 1}, Distinct: true}}
		r, err := Encode(t.Context(), f, Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Summary.Plan.Vote.Codes; got != want {
			t.Errorf("%s: %d codes voted, want %d", format, got, want)
		}
	}
}
