package source

import (
	"os"
	"path/filepath"
)

// Beside looks for one of the names, plain or compressed, in the folder of a
// file; ok is false where there is none, or the input is no file.
func (in Input) Beside(names ...string) (found Input, ok bool) {
	if in.path == "" {
		return Input{}, false
	}
	for _, name := range names {
		for _, ext := range []string{"", ".gz", ".zst", ".bz2", ".xz"} {
			path := filepath.Join(filepath.Dir(in.path), name+ext)
			if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if f, err := File(path); err == nil {
				return f, true
			}
		}
	}
	return Input{}, false
}
