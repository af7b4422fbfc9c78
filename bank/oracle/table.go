package oracle

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Clear is the adjusted Rand index from which on groups are called clear.
const Clear = 0.9

// Case is a law of a hand at a size.
type Case struct {
	Hand, Law string
	N         int
}

// Reached is what the best classifier reaches on the draws of a case.
type Reached struct {
	Classifier string
	ARI        float64            // mean over the seeds
	Seeds      map[uint64]float64 // of each draw
}

// Table holds what is reached, case by case.
type Table map[Case]Reached

// Of returns what is reached on a draw: on that very draw where it was tried, else on
// the mean of the others of its law; false where no classifier has tried.
func (t Table) Of(c Case, seed uint64) (float64, bool) {
	r, ok := t[c]
	if !ok {
		return 0, false
	}
	if ari, ok := r.Seeds[seed]; ok {
		return ari, true
	}
	return r.ARI, true
}

// Best picks the classifier with the highest mean from what each reached by seed.
func Best(reached map[uint64]map[string]float64) Reached {
	sums := map[string]float64{}
	for _, one := range reached {
		for name, ari := range one {
			sums[name] += ari
		}
	}
	var top Reached
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if ari := sums[name] / float64(len(reached)); top.Classifier == "" || ari > top.ARI {
			top = Reached{Classifier: name, ARI: ari}
		}
	}
	top.Seeds = map[uint64]float64{}
	for seed, one := range reached {
		top.Seeds[seed] = one[top.Classifier]
	}
	return top
}

// header names the columns of the table.
func header() []string { return []string{"hand", "law", "n", "ari", "classifier", "seeds"} }

// Write writes the table as CSV, sorted.
func (t Table) Write(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(header())
	for _, c := range slices.SortedFunc(maps.Keys(t), compareCases) {
		r := t[c]
		out.Write([]string{c.Hand, c.Law, strconv.Itoa(c.N), short(r.ARI), r.Classifier, r.seeds()})
	}
	out.Flush()
	return out.Error()
}

// compareCases orders cases by hand, law and size.
func compareCases(a, b Case) int {
	return cmp.Or(cmp.Compare(a.Hand, b.Hand), cmp.Compare(a.Law, b.Law), cmp.Compare(a.N, b.N))
}

// short writes an index with three decimals.
func short(ari float64) string { return strconv.FormatFloat(ari, 'f', 3, 64) }

// seeds writes the index of every seed, as in "1:0.912 2:0.887".
func (r Reached) seeds() string {
	var all []string
	for _, seed := range slices.Sorted(maps.Keys(r.Seeds)) {
		all = append(all, strconv.FormatUint(seed, 10)+":"+short(r.Seeds[seed]))
	}
	return strings.Join(all, " ")
}

// Read reads a table that Write wrote.
func Read(r io.Reader) (Table, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], header()) {
		return nil, fmt.Errorf("the columns are not %v", header())
	}
	t := Table{}
	for i, row := range rows[1:] {
		if err := t.read(row); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	return t, nil
}

// read reads a row into the table.
func (t Table) read(row []string) error {
	n, err := strconv.Atoi(row[2])
	if err != nil {
		return err
	}
	r := Reached{Classifier: row[4], Seeds: map[uint64]float64{}}
	if r.ARI, err = strconv.ParseFloat(row[3], 64); err != nil {
		return err
	}
	for _, field := range strings.Fields(row[5]) {
		var seed uint64
		var ari float64
		if _, err := fmt.Sscanf(field, "%d:%f", &seed, &ari); err != nil {
			return fmt.Errorf("%q is no seed with its index", field)
		}
		r.Seeds[seed] = ari
	}
	t[Case{row[0], row[1], n}] = r
	return nil
}
