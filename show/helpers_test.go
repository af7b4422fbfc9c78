package show_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/internal/showtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -run %s -update writes it)", err, t.Name())
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what was written:\n%s", path, got)
	}
}

// Data and reports, which tests in a browser share.
var (
	hospital, corpus, laboratory, walks = showtest.Hospital, showtest.Corpus, showtest.Laboratory, showtest.Walks
	ward, library, bags                 = showtest.Ward, showtest.Library, showtest.Bags
	flat, grown, explained, cases       = showtest.Flat, showtest.Grown, showtest.Explained, showtest.Cases
)
