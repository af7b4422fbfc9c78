package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/unfinished"
)

// Home is the folder of a site: its key, what it sent, and how its data are read.
// It stays at the site.
type Home struct {
	Dir string
	site
	log  []Sent
	post post
}

// site is what the home remembers.
type site struct {
	Moiety  string           `json:"moiety"` // "site"
	Version int              `json:"version"`
	Name    string           `json:"name"`
	Where   string           `json:"where"` // the folder of the study, or its address
	Token   string           `json:"token,omitempty"`
	CA      string           `json:"ca,omitempty"` // file of certificates to trust besides the system's
	Paper   *Paper           `json:"paper"`
	Data    []string         `json:"data"`
	Read    fit.ReadSettings `json:"read"`
}

const (
	siteKind = "site"
	siteFile = "site.json"
	keyFile  = "key"
)

// Joining is how a site joins a study.
type Joining struct {
	Home  string
	Where string // folder or address; the token of an address stands behind #
	CA    string
	Name  string
	Open  bool      // this site agrees to open sums
	Order run.Order // data and how they are read; all else is the study's
}

// Join makes the home of a site and sends its first file: what its records are,
// and names of features that enough of them have.
func Join(ctx context.Context, j Joining) (*Home, error) {
	if err := CheckName(j.Name); err != nil {
		return nil, err
	}
	where, token := address(j.Where)
	p, err := way(where, token, j.CA)
	if err != nil {
		return nil, err
	}
	paper, err := p.paper(ctx)
	if err != nil {
		return nil, err
	}
	if err := paper.agrees(j.Open); err != nil {
		return nil, err
	}
	h := &Home{Dir: j.Home, post: p, site: site{
		Moiety: siteKind, Version: 1, Name: j.Name, Where: where, Token: token, CA: j.CA, Paper: paper,
		Data: absolute(j.Order.Args), Read: fit.NewReadSettings(j.Order.Read),
	}}
	if !isAddress(where) {
		h.Where = absolute([]string{where})[0]
	}
	var data []byte
	err = durable.WriteFolder(durable.OS{}, j.Home, 0o700, func(temp string) (err error) {
		h.Dir = temp
		if err = h.make(); err == nil {
			data, err = h.first(ctx, j.Order)
		}
		return err
	})
	if h.Dir = j.Home; errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is there already: this site has joined, or name another folder with ‹home›", h.Dir)
	}
	if unfinished.IsFull(err) {
		return nil, outfile.Explain(h.Dir, err)
	}
	if err != nil {
		return nil, err
	}
	if err := h.post.put(ctx, h.Name, data); err != nil {
		return nil, errors.Join(err, os.RemoveAll(h.Dir)) // nothing was sent: it may join again
	}
	return h, nil
}

// agrees refuses a study of open sums at a site that did not ask for it, whatever the
// coordinator's paper says.
func (p *Paper) agrees(open bool) error {
	switch {
	case p.Open() && !open:
		return fit.Unsuited("the study is one of open sums: whoever gets a file of this site can read its sums; join with ‹open› if this site agrees to that")
	case open && !p.Open():
		return fit.Unsuited("the study is one of hidden sums: leave ‹open› out")
	}
	return nil
}

// absolute names files so that they are found from elsewhere too.
func absolute(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if _, err := os.Stat(a); err == nil {
			if full, err := filepath.Abs(a); err == nil {
				out[i] = full
			}
		}
	}
	return out
}

// make fills the folder.
func (h *Home) make() error {
	for _, name := range []string{sentFolder, totals} {
		if err := os.Mkdir(h.path(name), 0o700); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(h.site, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(durable.OS{}, h.path(siteFile), append(text, '\n'), secret)
}

// IsHome reports whether a folder is the home of a site.
func IsHome(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, siteFile))
	return err == nil
}

// OpenHome opens the home of a site.
func OpenHome(dir string) (*Home, error) {
	text, err := os.ReadFile(filepath.Join(dir, siteFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %w: name a folder that \"moiety study new\" or \"moiety study join\" wrote", dir, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	h := &Home{Dir: dir}
	if err := json.Unmarshal(text, &h.site); err != nil || h.Moiety != siteKind || h.Paper == nil {
		return nil, fmt.Errorf("%s is damaged: join the study anew", filepath.Join(dir, siteFile))
	}
	paper, err := json.Marshal(h.Paper)
	if err != nil {
		return nil, err
	}
	if h.Paper, err = ReadPaper(paper); err != nil {
		return nil, err
	}
	if h.post, err = way(h.Where, h.Token, h.CA); err != nil {
		return nil, err
	}
	h.log, err = h.Log()
	return h, err
}

func (h *Home) path(name string) string { return filepath.Join(h.Dir, name) }

// order returns the order of this site: its data, the settings of the study.
func (h *Home) order(o run.Order) (run.Order, error) {
	o.Args, o.Read = h.Data, h.withMachine(o)
	return o.Like(h.Paper.Settings)
}

// withMachine keeps what an order says of this computer.
func (h *Home) withMachine(o run.Order) (r readOptions) {
	r = h.Read.Options()
	r.MaxMemory, r.TempDir, r.Workers = o.Read.MaxMemory, o.Read.TempDir, o.Read.Workers
	return r
}

// first keeps the key and the first file, and returns that.
func (h *Home) first(ctx context.Context, o run.Order) ([]byte, error) {
	o, err := h.order(o)
	if err != nil {
		return nil, err
	}
	f, leaving, err := run.Part{Order: o, Site: h.Name, Key: h.path(keyFile), Open: h.Paper.Open()}.First(ctx)
	if err != nil {
		return nil, err
	}
	if err := durable.WriteFile(durable.OS{}, h.path(keyFile), leaving.NewKey, secret); err != nil {
		return nil, err
	}
	f.Number = h.Paper.Number
	data, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	return data, h.note(Sent{Mode: h.Paper.Mode, What: "names of features, a public key"}, data, leaving.Text())
}
