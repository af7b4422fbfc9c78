package codes

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// government opens a table of the US government or skips the test.
func government(t *testing.T, name string) *gzip.Reader {
	t.Helper()
	dir := os.Getenv("MOIETY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "icd9cm", name))
	if err != nil {
		t.Skip("missing data: icd9cm/" + name)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func rows(t *testing.T, name string) [][]string {
	t.Helper()
	all, err := csv.NewReader(government(t, name)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[1:]
}

func TestAllBillableCodes(t *testing.T) {
	all := rows(t, "icd9cm_v32_billable.csv.gz")
	if len(all) != 14567 {
		t.Fatalf("%d billable codes", len(all))
	}
	for _, r := range all {
		if !Known(ICD9, r[0]) || !KnownCategory(ICD9, r[0]) {
			t.Errorf("%s is not known", r[0])
		}
		if _, ok := Chapter(ICD9, r[0]); !ok {
			t.Errorf("%s has no chapter", r[0])
		}
	}
}

func TestHierarchyAgrees(t *testing.T) {
	for _, r := range rows(t, "icd9cm_hierarchy.csv.gz") {
		if got := Category(ICD9, r[0]); got != r[4] {
			t.Errorf("category of %s is %s, the table says %s", r[0], got, r[4])
		}
		if got := Title(ICD9, r[4], Three); got != r[5] {
			t.Errorf("title of %s is %q, the table says %q", r[4], got, r[5])
		}
	}
}

func TestAllCCSGroups(t *testing.T) {
	n, groups := 0, map[string]bool{}
	s := bufio.NewScanner(government(t, "ccs_single_level_dxref_2015.csv.gz"))
	for s.Scan() {
		parts := strings.Split(s.Text(), "'")
		if len(parts) < 5 || parts[1] == "ICD-9-CM CODE" {
			continue
		}
		n++
		code, group := strings.TrimSpace(parts[1]), "ccs:"+strings.TrimSpace(parts[3])
		if group == "ccs:0" {
			continue // the line for records without a diagnosis has no code
		}
		groups[group] = true
		if got, ok := Roll(ICD9, code, CCS); !ok || got != group {
			t.Errorf("%s is in %s (%v), the table says %s", code, got, ok, group)
		}
		if Title(ICD9, group, CCS) == "" {
			t.Errorf("%s has no title", group)
		}
	}
	if n != 15073 || len(groups) != 283 {
		t.Errorf("%d lines and %d groups, want 15073 and 283", n, len(groups))
	}
}
