package encode

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/record"
)

// One word tells no language, and three different stop words do.
func TestLanguageOfFewWords(t *testing.T) {
	for text, want := range map[string]string{
		"word ":               "",
		"the and valve ":      "",
		"the and with valve ": "english",
	} {
		r := encode(t, texts(1, strings.Repeat(text, 9)), Settings{})
		if got := r.Summary.Plan.Language; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Tokens are counted as one would count them by hand, on any number of cores, in memory
// and in a file, with values of any form, and no more than are looked at.
func TestSpoken(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	words := strings.Fields("the of and der die und valve heart stone kidney")
	dict := record.NewDict()
	for _, w := range words {
		dict.Add(w)
	}
	chunks, total, hits := make([]*chunk, 40), 0.0, map[string]float64{}
	left := languageEntries
	for i := range chunks {
		n := languageEntries/30 + rng.IntN(9)
		c := &chunk{ptr: []int{0, n}, feature: make([]uint32, n), whole: true}
		if i%3 > 0 {
			c.small = make([]uint8, n)
		}
		for j := range c.feature {
			c.feature[j] = uint32(rng.IntN(len(words)))
			v := 1.0
			if c.small != nil {
				c.small[j] = uint8(1 + rng.IntN(3))
				v = float64(c.small[j])
			}
			if left--; left >= 0 {
				total += v
				hits[words[c.feature[j]]] += v
			}
		}
		if i%3 == 2 {
			c.widen()
		}
		chunks[i] = c
	}
	want := map[string]float64{}
	for _, language := range Languages() {
		set, _ := stopSetOf(language)
		for w := range set {
			want[language] += hits[w]
		}
	}
	for _, workers := range []int{1, 2, 8} {
		for _, limit := range []int64{0, 8 << 20} {
			e := newEncoder(nil, Settings{Workers: workers, TempDir: t.TempDir()}, nil)
			e.buffer.limit, e.raw = limit, dict
			for _, c := range chunks {
				own := *c
				if err := e.buffer.add(&own); err != nil {
					t.Fatal(err)
				}
			}
			of, sum, err := e.listen()
			if err != nil || len(of) != len(words) {
				t.Fatal(len(of), err)
			}
			if (e.buffer.file != nil) != (limit > 0) || sum.total != total {
				t.Fatalf("%d workers, %d bytes: %g tokens, want %g", workers, limit, sum.total, total)
			}
			for i, language := range Languages() {
				if sum.hits[i] != want[language] {
					t.Errorf("%d workers, %d bytes: %g stop words of %s, want %g", workers, limit, sum.hits[i], language, want[language])
				}
			}
			if err := e.buffer.close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
