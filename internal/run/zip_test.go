package run

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/container"
)

// packed makes an archive of files.
func packed(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sent.zip")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A folder goes into an archive and comes back whole; what goes on in it stays out,
// and another folder of the name is left alone.
func TestZip(t *testing.T) {
	from := filepath.Join(t.TempDir(), "ward")
	if err := os.MkdirAll(filepath.Join(from, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{manifestFile: `{"kind":"x"}`, "a.moiety": "aaa", stageLock: "locked"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := (&Run{Path: from}).WriteZip(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sent.zip")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, fresh := range []bool{true, false} {
		dir, first, err := Unpack(file)
		if err != nil || first != fresh || filepath.Base(dir) != "sent" {
			t.Fatalf("%s, %v, %v", dir, first, err)
		}
		list, _ := os.ReadDir(dir)
		text, _ := os.ReadFile(filepath.Join(dir, "a.moiety"))
		if len(list) != 2 || string(text) != "aaa" {
			t.Errorf("%d files, %q", len(list), text)
		}
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "sent", manifestFile), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Unpack(file); err == nil {
		t.Error("another run was taken for that of the archive")
	}
}

// What is no run is refused, and nothing is written: names that lead out, folders in
// folders, other archives.
func TestForeignZip(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"out":       {"ward/" + manifestFile: "{}", "../evil": "x"},
		"above":     {"ward/" + manifestFile: "{}", "ward/..": "x"},
		"drive":     {manifestFile: "{}", `C:evil`: "x"},
		"folders":   {"a/b/" + manifestFile: "{}"},
		"two":       {"a/" + manifestFile: "{}", "b/" + manifestFile: "{}"},
		"documents": {"letter.txt": "Dear"},
		"nothing":   {},
	} {
		file := packed(t, files)
		if _, _, err := Unpack(file); err == nil || IsZip(file) {
			t.Errorf("%s was unpacked", name)
		}
		if list, _ := os.ReadDir(filepath.Dir(file)); len(list) != 1 {
			t.Errorf("%s: %d files are left", name, len(list))
		}
	}
}

// A few kilobytes that announce gigabytes are refused before a byte is written, and
// what is unpacked is for its owner alone: it may hold records.
func TestZipBounds(t *testing.T) {
	dense := packed(t, map[string]string{"r/" + manifestFile: "{}", "r/rows.moiety": strings.Repeat("\x00", unfoldAlways+1)})
	dir, _, err := Unpack(dense)
	if !errors.Is(err, container.ErrForeign) {
		t.Errorf("%s, %v", dir, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(dense)); len(left) != 1 {
		t.Errorf("%d things beside the archive", len(left))
	}
	dir, _, err = Unpack(packed(t, map[string]string{"r/" + manifestFile: "{}", "r/rows.moiety": "few"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, filepath.Join(dir, "rows.moiety")} {
		if at, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && at.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, at.Mode(), err)
		}
	}
}
