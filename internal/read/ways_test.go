package read

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Sequences come as a state of everybody at every time, as a list of symbols a
// line, a cell or a field, and as sets of codes by date; times of purchases are
// not taken for steps.
func TestWays(t *testing.T) {
	ways := []string{"E U U S E", "U U S", "S E E U U U", "E S S"}
	var lines, cells, fields, months, byMonth, buys, sets strings.Builder
	cells.WriteString("who,sex,path\n")
	months.WriteString("person,month,state\n")
	byMonth.WriteString("month,person,state\n")
	buys.WriteString("customer,date,product\n")
	sets.WriteString("patient_id,date,icd9\n")
	for i := range 40 {
		w := strings.Fields(ways[i%4])
		fmt.Fprintln(&lines, ways[i%4])
		fmt.Fprintf(&cells, "p%d,%s,%s\n", i, []string{"m", "f"}[i%2], strings.Join(w, "-"))
		fmt.Fprintf(&fields, `{"id":%d,"way":["%s"]}`+"\n", i, strings.Join(w, `","`))
		for m := 3; m > 0; m-- { // not in the order of time
			fmt.Fprintf(&months, "p%d,%d,%s\n", i, m, w[m-1])
		}
		for _, d := range []int{1, 1, 4} {
			fmt.Fprintf(&buys, "c%d,2020-01-0%d,%s\n", i, d, []string{"milk", "salt", "beer"}[(i+d)%3])
		}
		fmt.Fprintf(&sets, "%d,2020-03-01,4280\n%d,2020-01-01,25000\n%d,2020-01-01,4019\n", i, i, i)
	}
	for m := range 3 {
		for i := range 40 {
			fmt.Fprintf(&byMonth, "%d,p%d,%s\n", m, i, strings.Fields(ways[i%4])[m])
		}
	}
	seq := Options{Reading: record.Reading{Format: "sequences"}}
	plain := []string{"||E U U S E", "||U U S", "||S E E U U U", "||E S S"}
	for _, o := range []Options{{}, seq} {
		expect(t, o, "sequences", record.Categorical, plain, memory("lines.txt", lines.String()))
		expect(t, o, "sequences", record.Categorical, plain, memory("lines.csv", strings.ReplaceAll(lines.String(), " ", ",")))
		expect(t, o, "sequences", record.Categorical, []string{"p0|m|E U U S E", "p1|f|U U S"}, memory("cells.csv", cells.String()))
		expect(t, o, "sequences", record.Categorical, []string{"p0|3,1 2 3|E U U", "p1|3,1 2 3|U U S"}, memory("months.csv", months.String()))
		expect(t, o, "sequences", record.Categorical, []string{"p0|0,0 1 2|E U U", "p1|0,0 1 2|U U S"}, memory("bymonth.csv", byMonth.String()))
	}
	expect(t, seq, "sequences", record.Categorical, []string{"0||E U U S E", "1||U U S"}, memory("fields.jsonl", fields.String()))
	expect(t, seq, "sequences", record.Categorical, []string{"||work rest rest", "||rest rest"}, memory("words.txt", "work rest rest\nrest rest\nwork work\n"))
	expect(t, seq, "sequences", record.Presence, []string{"0|2020-03-01,2020-01-01 2020-03-01|25000 4019 4280"}, memory("sets.csv", sets.String()))
	expect(t, Options{}, "long", record.Presence, []string{"c0|2020-01-01|salt salt salt"}, memory("buys.csv", strings.ReplaceAll(buys.String(), "beer", "salt")))
	expect(t, Options{Reading: record.Reading{Format: "long"}}, "long", record.Presence, []string{"p0|3|U U E"}, memory("months.csv", months.String()))
	expect(t, Options{}, "long", record.Presence, []string{"0|2020-03-01|4280 25000 4019"}, memory("sets.csv", sets.String()))

	// Texts of a small vocabulary stay texts, and a missing step stays a step.
	expect(t, Options{}, "lines", record.Text, nil, memory("notes.txt", strings.Repeat("the cat sat on the mat\nthe dog ran\n", 30)))
	src, err := OpenInputs(context.Background(), []source.Input{memory("gap.txt", "?-E-?-U-?\nU-E\nE-U-U\nU-U\n")}, seq, new(record.Problems))
	if err != nil {
		t.Fatal(err)
	}
	err = src.Read(context.Background(), func(b *record.Batch) error {
		if want := []int{0, 3, 5, 8, 10}; !slices.Equal(b.Steps, want) {
			t.Errorf("steps %v, want %v", b.Steps, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
