package omop

import (
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/record"
)

func TestPasswordRefused(t *testing.T) {
	const secret = "s3cret"
	for _, dsn := range []string{
		"postgres://me:" + secret + "@host/db", "postgresql://me@host/db?password=" + secret,
		"postgres://me@host/db?sslpassword=" + secret, "host=h password=" + secret, "host=h PASSWORD = " + secret, "password='" + secret + "'",
		"postgres://me:" + secret + "@ho st/%zz",
	} {
		_, err := New(Options{DSN: dsn}, &record.Problems{})
		if err == nil || !strings.Contains(err.Error(), "PGPASSWORD") || strings.Contains(err.Error(), secret) {
			t.Errorf("error %v for a string with a password", err)
		}
	}
	for _, dsn := range []string{"", "postgres://me@host/db", "host=h user=me dbname=db"} {
		if _, err := New(Options{DSN: dsn}, &record.Problems{}); err != nil {
			t.Errorf("%q: %v", dsn, err)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{Cohort: -1}, {Table: 9}, {Unit: 5}, {DSN: "port=x"}} {
		if _, err := New(o, &record.Problems{}); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestQuery(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, `COPY (SELECT t.person_id, t.condition_concept_id, t.condition_start_date FROM "condition_occurrence" t ORDER BY t.person_id, t.condition_concept_id) TO STDOUT`},
		{
			Options{Schema: `a"b`, Table: Drug, Unit: Visit, SourceValues: true, Cohort: 3},
			`COPY (SELECT t.visit_occurrence_id, t.drug_source_value, t.drug_exposure_start_date FROM "a""b"."drug_exposure" t WHERE t.person_id IN ` +
				`(SELECT c.subject_id FROM "a""b"."cohort" c WHERE c.cohort_definition_id = 3) ORDER BY t.visit_occurrence_id, t.drug_source_value COLLATE "C") TO STDOUT`,
		},
	} {
		r := &reader{o: c.o}
		if got := r.query(); got != c.want {
			t.Errorf("query\n%s, want\n%s", got, c.want)
		}
	}
}

// TestRows feeds the same lines cut at every place.
func TestRows(t *testing.T) {
	const lines = "1\t5\t2008-03-01\n1\t5\t2007-12-31\n1\t7\t\\N\n2\t0\t2008-01-01\n3\t\\N\t\\N\n\\N\t5\t2001-01-01\n4\t5\t2009-01-01\n"
	const want = "[1 2 3 4] [0 2 2 2 3] [0 1 0] [[2007-12-31 2008-01-01  2009-01-01] [2008-03-01 2008-01-01  2009-01-01]] map[codes recorded again in the same record, counted once:1 rows without a code or with concept 0, left out:2 rows without a visit, left out:1]"
	for cut := range len(lines) {
		p := &record.Problems{}
		src, err := New(Options{}, p)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		w := &rows{r: src.(*reader), yield: func(b *record.Batch) error { got += fmt.Sprint(b.IDs, b.Ptr, b.Feature, b.Side); return nil }}
		for _, part := range []string{lines[:cut], lines[cut:]} {
			if n, err := w.Write([]byte(part)); err != nil || n != len(part) {
				t.Fatal(n, err)
			}
		}
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		if got += " " + fmt.Sprint(p.Repairs); strings.ReplaceAll(got, "][", "] [") != want {
			t.Fatalf("cut at %d: %s, want %s", cut, got, want)
		}
	}
	w := &rows{r: &reader{}}
	if _, err := w.Write([]byte("no tab\n")); err == nil {
		t.Error("a row of one column is accepted")
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{`a\tb`: "a\tb", `\\N`: `\N`, `x`: "x", `\`: `\`, `\n\r\b\f\v\q`: "\n\r\b\f\vq"} {
		if got := string(unescape([]byte(in))); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}
