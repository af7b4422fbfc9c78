package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// sameFolder compares two run folders byte by byte; of the manifest everything
// but its timings.
func sameFolder(a, b string) error {
	one, err := contents(a)
	if err != nil {
		return err
	}
	two, err := contents(b)
	if err != nil {
		return err
	}
	if len(one) != len(two) || len(one) == 0 {
		return fmt.Errorf("%d files and %d files", len(one), len(two))
	}
	for name, data := range one {
		if !bytes.Equal(data, two[name]) {
			return fmt.Errorf("%s differs", name)
		}
	}
	return nil
}

func contents(dir string) (map[string][]byte, error) {
	out := map[string][]byte{}
	return out, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if e.Name() == "manifest.json" {
			data, err = withoutTimings(data)
		}
		name, _ := filepath.Rel(dir, path)
		out[name] = data
		return err
	})
}

// withoutTimings drops the field "timings"; the order of the rest stays.
func withoutTimings(data []byte) ([]byte, error) {
	i := bytes.LastIndex(data, []byte(`"timings"`))
	if i < 0 || !json.Valid(data) {
		return nil, fmt.Errorf("a manifest without timings")
	}
	return data[:i], nil
}

// jsonHas checks a field of the last standard output: json-has PATH VALUE, the
// path being names joined by dots.
func jsonHas(s *script, neg bool, args []string) {
	var doc any
	s.Check(json.Unmarshal([]byte(s.ReadFile("stdout")), &doc))
	value := doc
	for _, name := range strings.Split(args[0], ".") {
		object, ok := value.(map[string]any)
		if !ok {
			s.Fatalf("%s: no such field", args[0])
		}
		value = object[name]
	}
	if got := fmt.Sprint(value); (got == args[1]) == neg {
		s.Fatalf("%s is %s", args[0], got)
	}
}
