package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/suggest"
)

// ErrNoData says that an argument names something, but no data that could be
// read here.
var ErrNoData = errors.New("no data")

// noData is a sentence of its own that counts as one of the errors of inputs.
type noData struct {
	text string
	is   error
}

func (e noData) Error() string { return e.text }
func (e noData) Unwrap() error { return e.is }

func notData(is error, format string, args ...any) error {
	return noData{fmt.Sprintf(format, args...), is}
}

// address matches the arguments that are places in the net or in a store.
var address = pattern.New(`(?i)^(https?|ftp|s3|gs|file|hdfs)://`)

// absent says why an argument cannot be opened.
func absent(arg string, err error) error {
	switch {
	case address.MatchString(arg):
		return notData(ErrNoData, "%s is a web address: download the file first, then give its name", arg)
	case errors.Is(err, syscall.ELOOP):
		return notData(ErrNoData, "%s is a link that leads back to itself: give the file that is meant", arg)
	case errors.Is(err, fs.ErrNotExist):
		return notData(err, "there is no file %s%s", arg, near(arg))
	}
	return fmt.Errorf("cannot open %s: %w", arg, err)
}

// near suggests a file of the same folder.
func near(arg string) string {
	dir, base := filepath.Split(arg)
	list, err := os.ReadDir(filepath.Clean(dir + "."))
	if err != nil {
		if dir != "" {
			return fmt.Sprintf(", and no folder %s", filepath.Clean(dir))
		}
		return ""
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if best := suggest.Word(base, names); best != "" {
		return fmt.Sprintf(" (did you mean %s?)", filepath.Join(dir, best))
	}
	return ""
}

// runMark is in the manifest of every run folder.
var runMark = []byte(`"moiety run"`)

// isRun reports whether a folder is what "moiety fit -o" wrote.
func isRun(folder string) bool {
	f, err := os.Open(filepath.Join(folder, "manifest.json"))
	if err != nil {
		return false
	}
	defer f.Close()
	const enough = 4 << 10
	head, err := readUpTo(f, enough)
	return err == nil && bytes.Contains(head, runMark)
}
