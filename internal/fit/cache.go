package fit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
)

// cache keeps encoded rows beside the data, with a key that changes when the
// files or the settings do. It is one file:
//
//	rows    a data set file
//	about   JSON: the key, and what is known besides the rows
//	foot    lengths of both, SHA-256 of all before it, magic
//
// A file that is not whole, not ours or of another key is no cache.
type cache struct {
	fs   durable.FS
	path string
	key  string
}

// cached is what is kept besides the rows.
type cached struct {
	Key     string          `json:"key"`
	Reading Reading         `json:"reading"`
	Summary *encode.Summary `json:"summary"`
	Short   []int           `json:"short,omitempty"`
}

const (
	cacheMagic = "moietyKC"
	cacheFoot  = 8 + 8 + sha256.Size + len(cacheMagic)

	// largestAbout bounds what is believed of a length in the foot before the
	// checksum is known to be right.
	largestAbout = 1 << 30
)

// newCache returns the cache of an order.
func newCache(o Order, inputs []source.Input) (*cache, error) {
	var stamps []stamp
	for _, in := range inputs {
		s, err := stampOf(in.Path())
		if in.Path() == "" || err != nil {
			return nil, errors.New("‹cache› needs data in files: leave it out for standard input")
		}
		stamps = append(stamps, s)
	}
	if len(stamps) == 0 {
		return nil, errors.New("‹cache› needs data in files: leave it out for a database")
	}
	path := stamps[0].Name
	if info, err := os.Stat(o.Args[0]); err == nil && info.IsDir() {
		path = filepath.Clean(o.Args[0])
	}
	titles := make([]string, 0, len(o.Encode.Titles))
	for code, title := range o.Encode.Titles {
		titles = append(titles, code+"\t"+title)
	}
	slices.Sort(titles)
	beside := companions(stamps, o.Read.VocabFile, o.Read.IDsFile)
	text, err := json.Marshal([]any{Program(), stamps, beside, NewReadSettings(o.Read), o.Encode, titles})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &cache{durable.OS{}, path + source.CacheEnding, hex.EncodeToString(sum[:])}, nil
}

// stamp tells one state of a file from the others.
type stamp struct {
	Name       string
	Size, Time int64
}

func stampOf(path string) (stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	return stamp{path, info.Size(), info.ModTime().UnixNano()}, nil
}

// companionName are files that readers may look at besides the data: names of
// words, columns, records and codes.
var companionName = pattern.New(`(?i)^(vocab|features|genes|barcodes|columns|rows|names|titles|d_)`)

// companions stamps the files beside the data that a reader may take names
// from, and those that were named.
func companions(data []stamp, named ...string) []stamp {
	taken := make(map[string]bool)
	for _, s := range data {
		taken[s.Name] = true
	}
	var out []stamp
	add := func(path string) {
		if s, err := stampOf(path); path != "" && err == nil && !taken[path] {
			taken[path] = true
			out = append(out, s)
		}
	}
	for _, path := range named {
		add(path)
	}
	listed := make(map[string][]fs.DirEntry)
	for _, s := range data {
		dir, base := filepath.Split(s.Name)
		list, ok := listed[dir]
		if !ok {
			list, _ = os.ReadDir(filepath.Clean(dir + "."))
			listed[dir] = list
		}
		for _, e := range list {
			belongs := strings.HasPrefix(e.Name(), base) || companionName.MatchString(e.Name())
			if belongs && e.Type().IsRegular() && !source.IsCache(e.Name()) {
				add(dir + e.Name())
			}
		}
	}
	return out
}

// load returns the kept rows if they are of the same files and settings. A
// cache that is not whole is as good as none.
func (c *cache) load(limit int64, workers int) (*Prepared, bool) {
	durable.Sweep(c.fs, c.path)
	file, err := os.Open(c.path)
	if err != nil {
		return nil, false
	}
	about, rows, err := c.check(file)
	if err != nil {
		file.Close()
		return nil, false
	}
	f, err := dataset.OpenFile(file, rows)
	if err != nil {
		return nil, false
	}
	r := &encode.Result{Summary: about.Summary, Set: f}
	if limit == 0 || rows <= limit/2 {
		r, err = encode.Loaded(about.Summary, f, workers)
		f.Close()
		if err != nil {
			return nil, false
		}
	}
	if len(about.Short) > 0 {
		r.Short = make([]bool, r.Len())
		for _, i := range about.Short {
			if i < 0 || i >= len(r.Short) {
				r.Close()
				return nil, false
			}
			r.Short[i] = true
		}
	}
	return &Prepared{
		Result: r, Reading: about.Reading, Plan: about.Summary.Plan, Cached: true,
		Health: IsHealth(about.Summary.Format, r.Vocab().System, about.Summary.OfPatients),
	}, true
}

// errNoCache says that a file is no cache of this order.
var errNoCache = errors.New("no cache")

// check reads a whole file and returns what is kept besides the rows, and the
// length of the rows.
func (c *cache) check(file *os.File) (*cached, int64, error) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < int64(cacheFoot) {
		return nil, 0, errNoCache
	}
	body := info.Size() - int64(cacheFoot)
	foot := make([]byte, cacheFoot)
	if _, err := file.ReadAt(foot, body); err != nil {
		return nil, 0, err
	}
	rows, size := int64(binary.LittleEndian.Uint64(foot)), int64(binary.LittleEndian.Uint64(foot[8:]))
	sum := foot[16 : 16+sha256.Size]
	if string(foot[16+sha256.Size:]) != cacheMagic || rows < 0 || size < 0 || size > largestAbout || rows != body-size {
		return nil, 0, errNoCache
	}
	text := make([]byte, size)
	if _, err := file.ReadAt(text, rows); err != nil {
		return nil, 0, err
	}
	var about cached
	if json.Unmarshal(text, &about) != nil || about.Key != c.key || about.Summary == nil {
		return nil, 0, errNoCache // most often: before the rows are read
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(file, 0, body+16)); err != nil {
		return nil, 0, err
	}
	if string(hash.Sum(nil)) != string(sum) {
		return nil, 0, errNoCache
	}
	return &about, rows, nil
}

// save keeps the rows, for the user alone: they are records.
func (c *cache) save(p *Prepared) error {
	about := cached{Key: c.key, Reading: p.Reading, Summary: p.Summary}
	for i, s := range p.Short {
		if s {
			about.Short = append(about.Short, i)
		}
	}
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := c.write(p, text); err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err // without the temporary name
		}
		return fmt.Errorf("‹cache›: %s cannot be written: %w: leave it out, or make room and a folder that you may write for it", c.path, err)
	}
	os.Remove(c.path + ".json") // the second file of caches of earlier versions
	return nil
}

func (c *cache) write(p *Prepared, about []byte) error {
	f, err := durable.NewPending(c.fs, c.path, 0o600)
	if err != nil {
		return err
	}
	defer f.Abandon()
	hash := sha256.New()
	out := &counting{w: io.MultiWriter(f, hash)}
	if err := p.Set.CopyTo(out, 1); err != nil {
		return err
	}
	foot := binary.LittleEndian.AppendUint64(nil, uint64(out.n))
	foot = binary.LittleEndian.AppendUint64(foot, uint64(len(about)))
	for _, b := range [][]byte{about, foot} {
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	if _, err := f.Write(append(hash.Sum(nil), cacheMagic...)); err != nil {
		return err
	}
	return f.Commit()
}

// counting counts the bytes that are written.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
