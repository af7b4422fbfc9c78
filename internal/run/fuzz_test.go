package run

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// seeds adds small files of testdata to a fuzz target.
func seeds(f *testing.F, names ...string) {
	f.Helper()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// A manifest is refused or makes sense: it never panics and never opens without
// a limit by accident.
func FuzzManifest(f *testing.F) {
	seeds(f, "v1/manifest.json", "v2/manifest.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if m, err := parseManifest(text, nil); err == nil && (m.MinCell < 0 || m.Encoding == nil || m.Groups < 1) {
			t.Errorf("accepted: %+v", m)
		}
		list := newSeals(map[string]string{manifestFile: sealed(text)})
		if m, err := parseManifest(text, list); err == nil && !bytes.HasSuffix(text, m.Timings.ending()) {
			t.Error("timings without their checksum are accepted")
		}
	})
}

// Edits are the bytes that the program writes, or refused.
func FuzzEdits(f *testing.F) {
	seeds(f, "v1/edits.json", "v2/edits.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if e, err := parseEdits(text, false); err == nil && !bytes.Equal(e.text(), text) {
			t.Errorf("other bytes are accepted: %q", text)
		}
		_, _ = parseEdits(text, true)
	})
}

// The list of checksums is the bytes that the program writes, or refused.
func FuzzChecksums(f *testing.F) {
	seeds(f, "v2/checksums.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := parseSeals(text); err == nil && !bytes.Equal(s.text(), text) {
			t.Errorf("other bytes are accepted: %q", text)
		}
	})
}

// Assignments are as long as they say, and nothing is allocated that is not
// there.
func FuzzAssignments(f *testing.F) {
	seeds(f, "v1/assignments.moiety")
	f.Fuzz(func(t *testing.T, data []byte) {
		group, probability, err := decodeAssignments(data)
		if err == nil && (len(group) != len(probability) || len(group) > len(data)) {
			t.Errorf("%d groups, %d probabilities of %d bytes", len(group), len(probability), len(data))
		}
	})
}
