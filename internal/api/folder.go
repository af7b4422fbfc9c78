package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/run"
)

// Folder is a store in a folder: runs are its run folders, data are the files in
// its folder "data". Ids are names of entries that are there, never paths.
type Folder struct {
	dir string

	mu    sync.Mutex
	taken map[string]bool // paths that are being written
}

// dataFolder holds the data files of a workspace.
const dataFolder = "data"

// NewFolder opens a workspace, and makes it where it is not there. What a program that
// was killed had begun to write there is removed.
func NewFolder(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the workspace cannot be made: %w", err)
	}
	run.Tidy(dir, dataFolder)
	return &Folder{dir: dir, taken: make(map[string]bool)}, nil
}

// Where implements Store.
func (f *Folder) Where() string { return f.dir }

// entry returns the path of an entry of a folder by its name: only names that the
// folder lists are taken, so that no request leads anywhere else.
func entry(dir, id string) (string, fs.FileInfo, error) {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	for _, e := range list {
		if e.Name() == id && !strings.HasPrefix(id, ".") {
			info, err := e.Info()
			return filepath.Join(dir, e.Name()), info, err
		}
	}
	return "", nil, unknown("There is no %q here.", id)
}

// Data implements Store.
func (f *Folder) Data() ([]DataFile, error) {
	list, err := os.ReadDir(filepath.Join(f.dir, dataFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := []DataFile{}
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, dataFile(info))
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Date > out[j].Date || out[i].Date == out[j].Date && out[i].ID < out[j].ID
	})
	return out, nil
}

func dataFile(info fs.FileInfo) DataFile {
	return DataFile{ID: info.Name(), Bytes: info.Size(), Date: info.ModTime().UTC().Format(time.RFC3339)}
}

// PutData implements Store. The file has its name once it is whole; what is cut
// short leaves nothing.
func (f *Folder) PutData(ctx context.Context, name string, r io.Reader) (DataFile, error) {
	dir := filepath.Join(f.dir, dataFolder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return DataFile{}, err
	}
	id := f.reserve(fileName(name), dir)
	defer f.release(dir, id)
	out, err := outfile.Create(ctx, filepath.Join(dir, id), outfile.Form{Name: "data"}, outfile.Options{Private: true})
	if err != nil {
		return DataFile{}, err
	}
	defer out.Abandon()
	if _, err := io.Copy(out, r); err != nil {
		return DataFile{}, err
	}
	if err := ctx.Err(); err != nil {
		return DataFile{}, err
	}
	if err := out.Commit(); err != nil {
		return DataFile{}, err
	}
	info, err := os.Stat(filepath.Join(dir, id))
	if err != nil {
		return DataFile{}, err
	}
	return dataFile(info), nil
}

// longestName is that of the longest name that is kept as it is.
const longestName = 80

// fileName makes a name of a file of whatever a request called it.
func fileName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("-_.+() ", r):
			return r
		}
		return -1
	}, name)
	name = strings.Trim(name, " .")
	if r := []rune(name); len(r) > longestName {
		name = string(r[len(r)-longestName:])
		name = strings.Trim(name, " .")
	}
	if name == "" {
		return "data"
	}
	return name
}

// unused adds a number to a name that is taken.
func unused(name string, taken func(string) bool) string {
	if !taken(name) {
		return name
	}
	stem, ending, _ := strings.Cut(name, ".")
	if ending != "" {
		ending = "." + ending
	}
	for i := 2; ; i++ {
		if next := fmt.Sprintf("%s-%d%s", stem, i, ending); !taken(next) {
			return next
		}
	}
}

// Input implements Store.
func (f *Folder) Input(id string) (source.Input, error) {
	path, info, err := entry(filepath.Join(f.dir, dataFolder), id)
	if err != nil {
		return source.Input{}, err
	}
	if !info.Mode().IsRegular() {
		return source.Input{}, unknown("There is no file %q here.", id)
	}
	in, err := source.File(path)
	in.Name = id // what messages and reports call it
	return in, err
}

// DropData implements Store.
func (f *Folder) DropData(id string) error {
	path, info, err := entry(filepath.Join(f.dir, dataFolder), id)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return unknown("There is no file %q here.", id)
	}
	return os.Remove(path)
}

// Runs implements Store.
func (f *Folder) Runs() ([]string, error) {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	type dated struct {
		id string
		at time.Time
	}
	var found []dated
	for _, e := range list {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == dataFolder {
			continue
		}
		if info, err := os.Stat(filepath.Join(f.dir, e.Name(), "manifest.json")); err == nil {
			found = append(found, dated{e.Name(), info.ModTime()})
		}
	}
	sort.Slice(found, func(i, j int) bool {
		a, b := found[i], found[j]
		return a.at.After(b.at) || a.at.Equal(b.at) && a.id < b.id
	})
	out := []string{}
	for _, x := range found {
		out = append(out, x.id)
	}
	return out, nil
}

// run returns the path of a run folder.
func (f *Folder) run(id string) (string, error) {
	path, info, err := entry(f.dir, id)
	if err != nil || !info.IsDir() || id == dataFolder {
		return "", unknown("There is no analysis called %q here.", id)
	}
	return path, nil
}

// Stamp implements Store.
func (f *Folder) Stamp(id string) (string, error) {
	path, err := f.run(id)
	if err != nil {
		return "", err
	}
	out := ""
	for _, name := range []string{"manifest.json", "edits.json"} {
		if info, err := os.Stat(filepath.Join(path, name)); err == nil {
			out += fmt.Sprintf("%s %d ", info.ModTime().UTC().Format(time.RFC3339Nano), info.Size())
		}
	}
	return out, nil
}

// Open implements Store.
func (f *Folder) Open(id string) (*run.Run, error) {
	path, err := f.run(id)
	if err != nil {
		return nil, err
	}
	return run.Open(path)
}

// Make implements Store.
func (f *Folder) Make(ctx context.Context, name string, o run.Order) (string, error) {
	id := f.reserve(strings.ReplaceAll(fileName(name), ".", "-"), f.dir)
	defer f.release(f.dir, id)
	o.Out = filepath.Join(f.dir, id)
	_, err := run.Make(ctx, o)
	return id, err
}

// reserve finds a name for an entry of a folder that nobody else has.
func (f *Folder) reserve(name, dir string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := unused(name, func(id string) bool {
		_, err := os.Lstat(filepath.Join(dir, id))
		return err == nil || f.taken[filepath.Join(dir, id)] || dir == f.dir && strings.EqualFold(id, dataFolder)
	})
	f.taken[filepath.Join(dir, id)] = true
	return id
}

func (f *Folder) release(dir, id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.taken, filepath.Join(dir, id))
}

// Within implements Store.
func (f *Folder) Within(id, group string) (string, error) {
	path, err := f.run(id)
	return path + ":" + group, err
}

// Drop implements Store. Only a folder that holds a run is removed.
func (f *Folder) Drop(id string) error {
	path, err := f.run(id)
	if err != nil {
		return err
	}
	if !run.IsRun(path) {
		return refused("%q is not an analysis: it is left alone.", id)
	}
	return os.RemoveAll(path)
}
