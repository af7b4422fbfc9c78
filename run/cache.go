package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/moiety-go/moiety/chest"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/encode"
	"github.com/moiety-go/moiety/fit"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/read/source"
)

// cache keeps encoded rows beside the data, with a key that changes when the
// files or the settings do.
type cache struct {
	path string // of the rows; the rest is beside it
	key  string
}

// cached is what is kept besides the rows.
type cached struct {
	Key     string          `json:"key"`
	Reading Reading         `json:"reading"`
	Summary *encode.Summary `json:"summary"`
	Short   []int           `json:"short,omitempty"`
}

// Endings of the cache's files.
const (
	cacheEnding = ".moiety-cache"
	cacheAbout  = ".json"
)

// newCache returns the cache of an order, or nil where the data are no files.
func newCache(o Order, inputs []source.Input) (*cache, error) {
	type stamp struct {
		Name       string
		Size, Time int64
	}
	var stamps []stamp
	for _, in := range inputs {
		info, err := os.Stat(in.Path())
		if in.Path() == "" || err != nil {
			return nil, errors.New("--cache needs data in files: leave it out for standard input")
		}
		stamps = append(stamps, stamp{in.Path(), info.Size(), info.ModTime().UnixNano()})
	}
	if len(stamps) == 0 {
		return nil, errors.New("--cache needs data in files: leave it out for a database")
	}
	titles := make([]string, 0, len(o.Encode.Titles))
	for code, title := range o.Encode.Titles {
		titles = append(titles, code+"\t"+title)
	}
	slices.Sort(titles)
	text, err := json.Marshal([]any{fit.Program(), stamps, NewReadSettings(o.Read), o.Encode, titles})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	path := stamps[0].Name
	if info, err := os.Stat(o.Args[0]); err == nil && info.IsDir() {
		path = o.Args[0]
	}
	return &cache{path + cacheEnding, hex.EncodeToString(sum[:])}, nil
}

// load returns the kept rows if they are of the same files and settings. A
// cache that cannot be read is as good as none.
func (c *cache) load(limit int64) (*Prepared, bool) {
	text, err := os.ReadFile(c.path + cacheAbout)
	var about cached
	if err != nil || json.Unmarshal(text, &about) != nil || about.Key != c.key || about.Summary == nil {
		return nil, false
	}
	f, err := dataset.Open(c.path)
	if err != nil {
		return nil, false
	}
	r := &encode.Result{Summary: about.Summary, File: f}
	if info, err := os.Stat(c.path); limit == 0 || err == nil && info.Size() <= limit/2 {
		r, err = encode.Loaded(about.Summary, f)
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
		Health: isHealth(about.Summary.Format, r.Vocab().System),
	}, true
}

// save keeps the rows.
func (c *cache) save(p *Prepared) error {
	var err error
	if p.File != nil {
		err = copyFile(durable.OS{}, c.path, p.File.Name())
	} else {
		err = dataset.Write(c.path, p.Result.Data)
	}
	if err != nil {
		return fmt.Errorf("--cache: %w: leave it out, or make the folder of the data writable", err)
	}
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
	return chest.WriteFile(c.path+cacheAbout, text)
}
