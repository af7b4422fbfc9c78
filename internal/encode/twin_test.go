package encode

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
)

// naive encodes lists of ICD-9 codes with maps and strings, three characters,
// presence, at least minDF records a feature.
func naive(lines []string, minDF int) (names []string, rows []string) {
	df := map[string]int{}
	var sets []map[string]bool
	for _, line := range lines {
		set := map[string]bool{}
		for _, code := range strings.Fields(line) {
			key := strings.ToUpper(strings.ReplaceAll(code, ".", ""))
			n := 3
			if key[0] == 'E' {
				n = 4
			}
			set[key[:n]] = true
		}
		for name := range set {
			df[name]++
		}
		sets = append(sets, set)
	}
	for name, n := range df {
		if n >= minDF {
			names = append(names, name)
		}
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := names[i], names[j]
		return df[a] > df[b] || df[a] == df[b] && a < b
	})
	for _, set := range sets {
		var row []string
		for _, name := range names {
			if set[name] {
				row = append(row, name)
			}
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return names, rows
}

func TestCodesTwin(t *testing.T) {
	pool := strings.Fields("428.0 4280 428.1 401.9 v10.3 V10.4 E812.0 e813.1 250.00 25001 414.01 585.9 272.4 041.00 042 V45.81 780.2")
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		lines := make([]string, 1+rng.IntN(60))
		for i := range lines {
			for range rng.IntN(9) {
				lines[i] += " " + pool[rng.IntN(len(pool))]
			}
		}
		minDF := 1 + rng.IntN(3)
		names, rows := naive(lines, minDF)
		if len(names) == 0 {
			continue
		}
		r := encode(t, lists("long", record.Presence, lines...), Settings{Encoding: dataset.Encoding{System: "icd9", MinDF: dataset.Amount{Count: minDF}}})
		if !slices.Equal(r.Vocab().Names, names) {
			t.Fatalf("seed %d: features %q, want %q", seed, r.Vocab().Names, names)
		}
		for i, want := range rows {
			if got := row(r, i); got != want {
				t.Fatalf("seed %d: record %d is %q, want %q", seed, i, got, want)
			}
		}
	}
}

func TestWordsTwin(t *testing.T) {
	stop, _ := stopSetOf("english")
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		pool := strings.Fields("the of heart failure kidney and patient is stone")
		list := make([]string, 1+rng.IntN(40))
		total := map[string]int{}
		counts := make([]map[string]int, len(list))
		for i := range list {
			counts[i] = map[string]int{}
			var kept []string
			for range rng.IntN(12) {
				w := pool[rng.IntN(len(pool))]
				list[i] += w + ", "
				if !stop[w] {
					kept = append(kept, w)
				}
			}
			for j, w := range kept {
				counts[i][w]++
				if j > 0 {
					counts[i][kept[j-1]+" "+w]++
				}
			}
			for w, n := range counts[i] {
				total[w] += n
			}
		}
		if len(total) == 0 {
			continue
		}
		r := encode(t, texts(7, list...), Settings{Encoding: dataset.Encoding{Stopwords: "english", Ngrams: 2}})
		if r.Vocab().Len() != len(total) {
			t.Fatalf("seed %d: %d features, want %d", seed, r.Vocab().Len(), len(total))
		}
		for h, name := range r.Vocab().Names {
			if h > 0 && total[r.Vocab().Names[h-1]] < total[name] {
				t.Errorf("seed %d: %s stands behind a rarer feature", seed, name)
			}
			for i := range list {
				if got := held(r).Rows.At(i, h); got != float64(counts[i][name]) {
					t.Fatalf("seed %d: %s in text %d: %g, want %d", seed, name, i, got, counts[i][name])
				}
			}
		}
	}
}

func BenchmarkEncodeCodes(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	lines := make([]string, 50_000)
	for i := range lines {
		for range 8 {
			lines[i] += fmt.Sprintf(" %03d.%d", 1+rng.IntN(998), rng.IntN(10))
		}
	}
	src := lists("long", record.Presence, lines...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Encode(b.Context(), src, Settings{Encoding: dataset.Encoding{System: "icd9"}}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(lines)*b.N)/b.Elapsed().Seconds(), "records/s")
}
