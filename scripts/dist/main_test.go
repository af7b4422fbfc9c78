package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// entry is what a person finds after unpacking.
type entry struct {
	mode fs.FileMode
	data []byte
}

func unpacked(t *testing.T, name string, content []byte) map[string]entry {
	t.Helper()
	out := make(map[string]entry)
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err := errors.Join(err, r.Close()); err != nil {
				t.Fatal(err)
			}
			out[f.Name] = entry{f.Mode().Perm(), data}
		}
		return out
	}
	g, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(g); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[h.Name] = entry{fs.FileMode(h.Mode), data}
	}
}

// TestArchives unpacks the archive of every system: the program can be started, what to
// click is there, the page on how to start it names every system, and the same content
// gives the same bytes.
func TestArchives(t *testing.T) {
	program := []byte("\x7fa program")
	root := filepath.Join("..", "..")
	for _, s := range systems {
		name, content, err := s.archive(root, program)
		if err != nil {
			t.Fatal(err)
		}
		if _, again, err := s.archive(root, program); err != nil || !bytes.Equal(content, again) {
			t.Errorf("%s is different every time: %v", name, err)
		}
		got := unpacked(t, name, content)
		want := []string{"moiety/CHANGELOG.md", "moiety/LICENSE", "moiety/THIRD_PARTY_LICENSES", "moiety/privacy.md", "moiety/workbench.md"}
		start := "moiety/moiety"
		switch s.os {
		case "windows":
			start += ".exe"
		case "darwin":
			want = append(want, "moiety/moiety.command")
			if e := got["moiety/moiety.command"]; e.mode != 0o755 || !bytes.HasPrefix(e.data, []byte("#!/bin/sh\n")) {
				t.Errorf("%s: what to click has the mode %v", name, e.mode)
			}
		}
		want = append(want, start)
		slices.Sort(want)
		if list := slices.Sorted(maps.Keys(got)); !slices.Equal(list, want) {
			t.Errorf("%s holds %v, want %v", name, list, want)
		}
		if e := got[start]; e.mode != 0o755 || !bytes.Equal(e.data, program) {
			t.Errorf("%s: the program has %d bytes and the mode %v", name, len(e.data), e.mode)
		}
		for _, word := range []string{"Windows", "macOS", "Linux", "SHA256SUMS", "moiety.command"} {
			if !bytes.Contains(got["moiety/workbench.md"].data, []byte(word)) {
				t.Errorf("%s: the page on how to start it does not say %q", name, word)
			}
		}
	}
}
