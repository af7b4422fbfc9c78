//go:build unix

package omop

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/moiety-go/moiety/record"
)

// fill makes a tiny OMOP database: 3 persons by hand, and 9000 more by rule in
// a second schema.
const fill = `
CREATE SCHEMA cdm; CREATE SCHEMA "Odd Name"; CREATE SCHEMA results;
CREATE TABLE cdm.condition_occurrence (condition_occurrence_id bigint, person_id bigint, visit_occurrence_id bigint,
  condition_concept_id integer, condition_source_value text, condition_start_date date);
CREATE TABLE cdm.drug_exposure (drug_exposure_id bigint, person_id bigint, visit_occurrence_id bigint,
  drug_concept_id integer, drug_source_value text, drug_exposure_start_date date);
CREATE TABLE cdm.procedure_occurrence (procedure_occurrence_id bigint, person_id bigint, visit_occurrence_id bigint,
  procedure_concept_id integer, procedure_source_value text, procedure_date date);
CREATE TABLE cdm.concept (concept_id integer, concept_name text);
CREATE TABLE results.cohort (cohort_definition_id bigint, subject_id bigint, cohort_start_date date, cohort_end_date date);
INSERT INTO cdm.condition_occurrence VALUES
  (1, 30, 301, 316139, '428.0', '2008-05-01'), (2, 10, 101, 201826, '250.00', '2009-01-31'), (3, 10, 102, 316139, E'42\t8\\0', '2007-02-03'),
  (4, 10, 101, 201826, '250.00 ', NULL), (5, 20, NULL, 0, NULL, NULL), (6, 30, 301, 316139, '428.0', '2008-04-30'), (7, 30, 302, 999, '428.0', '2010-10-10');
INSERT INTO cdm.drug_exposure VALUES (1, 10, 101, 1503297, 'metformin', '2009-02-01');
INSERT INTO cdm.procedure_occurrence VALUES (1, 20, 201, 4, 'x', '2009-02-01');
INSERT INTO cdm.concept VALUES (316139, 'Heart failure'), (201826, 'Type 2 diabetes mellitus'), (1503297, 'metformin');
INSERT INTO results.cohort VALUES (7, 10, NULL, NULL), (8, 30, NULL, NULL);
CREATE TABLE "Odd Name".condition_occurrence AS SELECT i AS condition_occurrence_id, (i * 7919) % 9001 AS person_id,
  i AS visit_occurrence_id, (i * 31) % 997 + 1 AS condition_concept_id, 'c' || i % 50 AS condition_source_value, date '2008-01-01' + i % 100 AS condition_start_date
  FROM generate_series(1, 90010) i;
`

func read(t *testing.T, o Options, p *record.Problems) (rows []string, s *record.Schema, err error) {
	t.Helper()
	src, err := New(o, p)
	if err != nil {
		return nil, nil, err
	}
	s = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			var codes []string
			for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
				codes = append(codes, s.Dict.Name(b.Feature[e]))
			}
			rows = append(rows, b.IDs[i]+":"+strings.Join(codes, ","))
		}
		return nil
	})
	return rows, s, err
}

// TestLive runs all cases on one private server, since starting one is slow.
func TestLive(t *testing.T) {
	if testing.Short() {
		t.Skip("a private PostgreSQL server is started only without -short")
	}
	conn := startServer(t)
	if _, err := conn.Exec(context.Background(), fill); err != nil {
		t.Fatal(err)
	}
	t.Run("records", testRecords)
	t.Run("many", testMany)
	t.Run("errors", testErrors)
	t.Run("cancel", func(t *testing.T) { testCancel(t, conn) })
}

func testRecords(t *testing.T) {
	cases := []struct {
		name   string
		o      Options
		want   []string
		titles string
	}{
		{"persons", Options{Schema: "cdm"}, []string{"10:201826,316139", "20:", "30:999,316139"}, "map[201826:Type 2 diabetes mellitus 316139:Heart failure]"},
		{"visits", Options{Schema: "cdm", Unit: Visit}, []string{"101:201826", "102:316139", "301:316139", "302:999"}, "map[201826:Type 2 diabetes mellitus 316139:Heart failure]"},
		{"source values", Options{Schema: "cdm", SourceValues: true}, []string{"10:250.00,42\t8\\0", "20:", "30:428.0"}, "map[]"},
		{"drugs", Options{Schema: "cdm", Table: Drug}, []string{"10:1503297"}, "map[1503297:metformin]"},
		{"procedures", Options{Schema: "cdm", Table: Procedure, SourceValues: true, Unit: Visit}, []string{"201:x"}, "map[]"},
		{"cohort", Options{Schema: "cdm", Cohort: 8, CohortSchema: "results"}, []string{"30:999,316139"}, "map[316139:Heart failure]"},
		{"empty cohort", Options{Schema: "cdm", Cohort: 9, CohortSchema: "results"}, nil, "map[]"},
		{"user in the string", Options{Schema: "cdm", DSN: "user=tester", Cohort: 8, CohortSchema: "results"}, []string{"30:999,316139"}, "map[316139:Heart failure]"},
	}
	for _, c := range cases {
		p := &record.Problems{Strict: true}
		rows, s, err := read(t, c.o, p)
		for i := range rows {
			rows[i] = sortedCodes(rows[i])
		}
		if err != nil || !reflect.DeepEqual(rows, c.want) || fmt.Sprint(s.Titles) != c.titles {
			t.Errorf("%s: %q, titles %v; want %q, %s (%v)", c.name, rows, s.Titles, c.want, c.titles, err)
		}
	}
	if days := daysOf(t, Options{Schema: "cdm"}); days != "[2007-02-03  2008-04-30] [2009-01-31  2010-10-10]" {
		t.Errorf("first and last days %s", days)
	}
	p := &record.Problems{}
	if _, _, err := read(t, Options{Schema: "cdm", Unit: Visit}, p); err != nil || len(p.Repairs) != 2 {
		t.Errorf("repairs %v (%v)", p.Repairs, err)
	}
}

// daysOf returns the days of the first and the last events of all records.
func daysOf(t *testing.T, o Options) string {
	t.Helper()
	src, err := New(o, &record.Problems{})
	if err != nil {
		t.Fatal(err)
	}
	var days []string
	if err := src.Read(context.Background(), func(b *record.Batch) error {
		for _, column := range b.Side {
			days = append(days, fmt.Sprint(column))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(days, " ")
}

// sortedCodes orders the codes of a row by length and text.
func sortedCodes(row string) string {
	id, list, _ := strings.Cut(row, ":")
	codes := strings.Split(list, ",")
	if len(codes) == 2 && (len(codes[0]) > len(codes[1]) || len(codes[0]) == len(codes[1]) && codes[0] > codes[1]) {
		codes[0], codes[1] = codes[1], codes[0]
	}
	return id + ":" + strings.Join(codes, ",")
}

// testMany crosses several batches and compares with the rule of the rows.
func testMany(t *testing.T) {
	want := make(map[string]map[string]bool)
	for i := 1; i <= 90010; i++ {
		id := fmt.Sprint(i * 7919 % 9001)
		if want[id] == nil {
			want[id] = make(map[string]bool)
		}
		want[id][fmt.Sprint(i*31%997+1)] = true
	}
	p := &record.Problems{}
	rows, _, err := read(t, Options{Schema: "Odd Name"}, p)
	if err != nil || len(rows) != len(want) || len(p.Notes) != 1 {
		t.Fatalf("%d records, want %d; notes %q (%v)", len(rows), len(want), p.Notes, err)
	}
	for _, row := range rows {
		id, codes, _ := strings.Cut(row, ":")
		got := make(map[string]bool)
		for code := range strings.SplitSeq(codes, ",") {
			got[code] = true
		}
		if !reflect.DeepEqual(got, want[id]) {
			t.Fatalf("person %s: %v, want %v", id, got, want[id])
		}
	}
	again, _, err := read(t, Options{Schema: "Odd Name"}, &record.Problems{})
	if err != nil || !reflect.DeepEqual(again, rows) {
		t.Errorf("a second reading differs (%v)", err)
	}
}

func testErrors(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"no schema":  {Options{Schema: "nowhere"}, "name the schema"},
		"no table":   {Options{Schema: "results"}, "name the schema"},
		"no cohort":  {Options{Schema: "cdm", Cohort: 1}, "name the schema"},
		"injection":  {Options{Schema: `cdm"; DROP TABLE cdm.concept; --`}, "name the schema"},
		"wrong user": {Options{Schema: "cdm", DSN: "user=nobody"}, "cannot connect"},
	} {
		if _, _, err := read(t, c.o, &record.Problems{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
	stop := errors.New("stop")
	src, err := New(Options{Schema: "Odd Name"}, &record.Problems{})
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Read(context.Background(), func(*record.Batch) error { return stop }); err != stop {
		t.Errorf("failing yield: %v", err)
	}
}

// testCancel cancels in the middle and looks whether the query is gone.
func testCancel(t *testing.T, conn *pgx.Conn) {
	src, err := New(Options{Schema: "Odd Name"}, &record.Problems{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := src.Read(ctx, func(*record.Batch) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled reading: %v", err)
	}
	for range 100 {
		var running int
		err := conn.QueryRow(context.Background(), "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY%' AND state = 'active'").Scan(&running)
		if err != nil {
			t.Fatal(err)
		}
		if running == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the query still runs on the server")
}
