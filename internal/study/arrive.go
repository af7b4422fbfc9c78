package study

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/pass"
)

// Put keeps what a site sent. It refuses what is not of this study, and whatever would take
// the place of another file of that site: all sites of a study have one token, so that
// whoever has it could send in the name of another.
func (f *Folder) Put(site string, data []byte) error {
	if err := CheckName(site); err != nil {
		return err
	}
	p, err := f.Paper()
	if err != nil {
		return err
	}
	if exchange.IsFile(data) {
		if err = p.first(site, data); err == nil {
			err = f.admit(p, site, data)
		}
	} else {
		err = f.later(p, site, data)
	}
	if err != nil {
		return fmt.Errorf("study: the file of %s: %w", site, err)
	}
	return f.write(arrivalFile(site), data, 0o644)
}

// arrivalFile is the name of what a site sent last.
func arrivalFile(site string) string { return inFolder + "/" + site + ".mom" }

func (p *Paper) first(site string, data []byte) error {
	first, err := exchange.Read(data)
	switch {
	case err != nil:
		return err
	case first.Number != p.Number:
		return errors.New("it is of another study")
	case first.Open != p.Open() || string(first.Study) != string(p.Settings):
		return errors.New("it was made with other settings")
	case len(first.Sites) != 1 || first.Sites[0].Name != site || len(first.Done) > 0:
		return errors.New("it is not the first file of this site")
	}
	return nil
}

// admit refuses a first file where that of the site, or of as many sites as the study has,
// is here.
func (f *Folder) admit(p *Paper, site string, data []byte) error {
	old, err := os.ReadFile(f.path(arrivalFile(site)))
	if err == nil && !bytes.Equal(old, data) {
		return fmt.Errorf("a site of that name has joined: take another name, or have the coordinator take %s away where this site is to join anew", f.path(arrivalFile(site)))
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	list, err := f.list()
	if err != nil {
		return err
	}
	here, err := f.arrived()
	if err == nil && (list != nil || len(here) >= p.Sites) {
		err = fmt.Errorf("all %d sites of the study have joined", p.Sites)
	}
	return err
}

// arrived names the sites of which a file is here.
func (f *Folder) arrived() ([]string, error) {
	entries, err := os.ReadDir(f.path(inFolder))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if site, isFile := strings.CutSuffix(e.Name(), ".mom"); isFile {
			out = append(out, site)
		}
	}
	return out, nil
}

func (f *Folder) later(p *Paper, site string, data []byte) error {
	post, err := exchange.ReadPost(data)
	switch {
	case err != nil:
		return err
	case post.Number != p.Number:
		return errors.New("it is of another study")
	case post.Site != site:
		return fmt.Errorf("it is of %s", post.Site)
	}
	if err := f.listed(site); err != nil {
		return err
	}
	old, err := f.there(site)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	if old != nil && !old.failed && !post.Failed && old.round == post.Round && old.sum != sum {
		return errors.New("this site has sent another file for the round: what it sends is the same each time, so one of them is not of this site")
	}
	f.remember(site, sum, post)
	return nil
}

// list returns the list of sites, nil where it is not made yet.
func (f *Folder) list() (*exchange.File, error) {
	if f.known != nil {
		return f.known, nil
	}
	if f.head == nil {
		head, err := exchange.Kept(filepath.Join(f.Sums(), exchange.TotalName(0)))
		if err != nil {
			return nil, err
		}
		f.head = head
	}
	return f.head, nil
}

// listed refuses a site that is not in the list of sites, where there is one.
func (f *Folder) listed(site string) error {
	list, err := f.list()
	if err == nil && list != nil && !slices.Contains(names(list), site) {
		err = errors.New("no site of that name has joined")
	}
	return err
}

// arrival is what is remembered of a file of a site.
type arrival struct {
	sum    [sha256.Size]byte
	round  pass.Round
	failed bool
	post   *exchange.Post // nil where its numbers stay on disk
}

// mostHeld is how many numbers of sites stay in memory until those of all are there, 64 MB
// of them: to read them again takes as long as to read them once.
const mostHeld = 1 << 22

// there tells what a site has sent last after its first file, nil where that is nothing.
// A file is read once: each time that one site sends, those of all are looked at.
func (f *Folder) there(site string) (*arrival, error) {
	data, err := os.ReadFile(f.path(arrivalFile(site)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || exchange.IsFile(data) {
		return nil, err
	}
	sum := sha256.Sum256(data)
	if a, ok := f.arrivals[site]; ok && a.sum == sum {
		return &a, nil
	}
	post, err := exchange.ReadPost(data)
	if err != nil {
		return nil, err
	}
	return f.remember(site, sum, post), nil
}

func (f *Folder) remember(site string, sum [sha256.Size]byte, post *exchange.Post) *arrival {
	if f.arrivals == nil {
		f.arrivals = map[string]arrival{}
	}
	delete(f.arrivals, site)
	held := post.Numbers()
	for _, a := range f.arrivals {
		if a.post != nil {
			held += a.post.Numbers()
		}
	}
	a := arrival{sum, post.Round, post.Failed, nil}
	if held <= mostHeld {
		a.post = post
	}
	f.arrivals[site] = a
	return &a
}

// load returns what gives the posts of the sites, by their numbers in the list, and each
// once: those that are large are read one at a time.
func (f *Folder) load(t *exchange.File) func(i int) (*exchange.Post, error) {
	return func(i int) (*exchange.Post, error) {
		site := t.Sites[i].Name
		if a := f.arrivals[site]; a.post != nil {
			post := a.post
			a.post = nil
			f.arrivals[site] = a
			return post, nil
		}
		data, err := os.ReadFile(f.path(arrivalFile(site)))
		if err != nil {
			return nil, err
		}
		return exchange.ReadPost(data)
	}
}
