package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	pq "github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/record"
)

// A row of a table of frequencies is that many records, in every format that has
// columns, with the id of the row and without the column.
func TestFrequencies(t *testing.T) {
	table, lines, rows := "a,b,site,Freq\n", "", [][]any{}
	for i, f := range []int{2, 0, 1, 3, 5, 6} {
		a, b := []string{"yes", "no"}[i%2], i%3
		table += fmt.Sprintf("%s,%d,s%d,%d\n", a, b, i, f)
		lines += fmt.Sprintf(`{"a":%q,"b":%d,"freq":%d}`+"\n", a, b, f)
		rows = append(rows, []any{a, b, f})
	}
	o := Options{Reading: record.Reading{Freq: "freq", Label: []string{"site"}, Format: "categorical"}}
	want := []string{"1|s0|a=yes b=0", "1|s0|a=yes b=0", "3|s2|a=yes b=2", "4|s3|a=no b=0", "4|s3|a=no b=0", "4|s3|a=no b=0"}
	expect(t, o, "categorical", record.Categorical, want, memory("t.csv", table))
	for i := range want {
		want[i] = want[i][:2] + want[i][strings.LastIndexByte(want[i], '|'):]
	}
	o.Label = nil
	expect(t, o, "categorical", record.Categorical, want, memory("t.jsonl", lines))
	expect(t, o, "categorical", record.Categorical, want, parquetOf(t, "t.parquet", []pq.Column{pq.TextColumn("a"), pq.WholeColumn("b"), pq.WholeColumn("freq")}, rows...))

	got, err := open(t, Options{Reading: record.Reading{Freq: "Freq"}}, memory("t.csv", table))
	if err != nil || len(got.rows) != 17 || !strings.Contains(got.notes, "6 rows are 17 records") || slices.Contains(got.schema.Side, "Freq") {
		t.Errorf("%d records, %v\n%s", len(got.rows), err, got.notes)
	}
	got, err = open(t, Options{Reading: record.Reading{Freq: "n"}}, memory("t.csv", "s1,s2,s3,s4,s5,s6,n\n"+strings.Repeat("a,b,a,b,a,c,2\n", 9)))
	if err != nil || got.schema.Format != "sequences" || len(got.rows) != 18 || got.rows[17] != "9||a b a b a c" {
		t.Errorf("sequences: %d records, %v: %q", len(got.rows), err, got.rows)
	}
}

// One row of a large frequency comes in batches, and frequencies that are none
// end the reading with their place.
func TestFrequenciesBounded(t *testing.T) {
	got, err := open(t, Options{Reading: record.Reading{Freq: "n", Format: "binary"}}, memory("t.csv", "a,b,n\n1,0,9000\n0,1,1\n"))
	if err != nil || len(got.rows) != 9001 {
		t.Errorf("%d records, %v", len(got.rows), err)
	}
	for cell, want := range map[string]string{
		"2.5": "record 3, column n: not a number of records", "-1": "not a number of records", "many": "not a number of records",
		"": "not a number of records", "NaN": "not a number of records", "inf": "add up to more than 50,000,000 records",
		"50000000": "add up to more than 50,000,000 records",
	} {
		_, err := open(t, Options{Reading: record.Reading{Freq: "n", Format: "binary"}}, memory("t.csv", "a,b,n\n1,0,9\n0,1,1\n1,1,"+cell+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", cell, err, want)
		}
	}
}

// A column that says how often answers were seen is not clustered unasked.
func TestFrequenciesAside(t *testing.T) {
	table := "q1,q2,q3,freq\n"
	for i := range 40 {
		table += fmt.Sprintf("%d,%d,%d,%d\n", i%2, i/2%2, i/4%2, 3+i*i%17)
	}
	got, err := open(t, Options{}, memory("t.csv", table))
	if err != nil || len(got.rows) != 40 || !slices.Equal(got.schema.Side, []string{"freq"}) || !strings.Contains(got.notes, "--freq freq") {
		t.Errorf("%v, beside %v\n%s", err, got.schema.Side, got.notes)
	}
	counts := strings.ReplaceAll(table, "q1,q2,q3,freq", "apples,pears,plums,n")
	counts = strings.ReplaceAll(counts, "\n1,", "\n7,") // of counts n is one more
	got, err = open(t, Options{}, memory("t.csv", counts))
	if err != nil || len(got.schema.Side) > 0 {
		t.Errorf("%v, beside %v\n%s", err, got.schema.Side, got.notes)
	}
}
