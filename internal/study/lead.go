package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/internal/exchange"
)

// State is how far a study is.
type State struct {
	Rounds  int      // done
	Joined  bool     // all sites are in
	Missing []string // sites whose files are not here yet; empty words for sites that have no name yet
	Stopped string   // a site that ended with an error
	Added   bool     // something was added up now
}

// Waiting says in words what is missing.
func (s State) Waiting() string {
	var names []string
	unknown := 0
	for _, name := range s.Missing {
		if name == "" {
			unknown++
		} else {
			names = append(names, name)
		}
	}
	switch {
	case unknown == 1:
		names = append(names, "one site")
	case unknown > 1:
		names = append(names, fmt.Sprintf("%d sites", unknown))
	}
	return strings.Join(names, ", ")
}

// Totals returns the totals so far; nil where not all sites have joined.
func (f *Folder) Totals() (*exchange.File, error) {
	if f.known != nil {
		return f.known, f.known.GrowFrom(f.Sums())
	}
	t, err := exchange.LoadTotals(f.Sums())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		f.known = t
	}
	return t, err
}

// Total returns the file of round n, 0 being the list of sites; nil where it is
// not there yet. It is an error where a site has stopped.
func (f *Folder) Total(n int) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(f.Sums(), exchange.TotalName(n)))
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	site, err := os.ReadFile(f.path(stopFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return nil, stopped(strings.TrimSpace(string(site)))
}

// stopped says that a site ended with an error.
func stopped(site string) error {
	return fmt.Errorf("study: %s ended with an error, and the others wait for it: see what happened there, and begin the round again", site)
}

// Put keeps what a site sent. It refuses what is not of this study.
func (f *Folder) Put(site string, data []byte) error {
	if err := CheckName(site); err != nil {
		return err
	}
	p, err := f.Paper()
	if err != nil {
		return err
	}
	if exchange.IsFile(data) {
		err = p.first(site, data)
	} else {
		err = f.later(p, site, data)
	}
	if err != nil {
		return fmt.Errorf("study: the file of %s: %w", site, err)
	}
	return f.write(inFolder+"/"+site+".mom", data, 0o644)
}

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

func (f *Folder) later(p *Paper, site string, data []byte) error {
	post, err := f.post(site, data)
	switch {
	case err != nil:
		return err
	case post.Number != p.Number:
		return errors.New("it is of another study")
	case post.Site != site:
		return fmt.Errorf("it is of %s", post.Site)
	}
	return nil
}

// post reads what a site has sent, once: each time that one sends, those of all are
// looked at.
func (f *Folder) post(site string, data []byte) (*exchange.Post, error) {
	if last, ok := f.posts[site]; ok && bytes.Equal(last.data, data) {
		return last.post, nil
	}
	post, err := exchange.ReadPost(data)
	if err != nil {
		return nil, err
	}
	if f.posts == nil {
		f.posts = map[string]arrival{}
	}
	f.posts[site] = arrival{data, post}
	return post, nil
}

// arrival is a file of a site, and what it says.
type arrival struct {
	data []byte
	post *exchange.Post
}

// Round adds up what the sites have sent: their first files, then round by round.
func (f *Folder) Round(check func(*exchange.File) error) (State, error) {
	p, err := f.Paper()
	if err != nil {
		return State{}, err
	}
	t, err := f.Totals()
	if err != nil {
		return State{}, err
	}
	if t == nil {
		return f.gather(p, check)
	}
	return f.add(t)
}

// gather lists the sites that have joined; once all have, it writes the list.
func (f *Folder) gather(p *Paper, check func(*exchange.File) error) (State, error) {
	entries, err := os.ReadDir(f.path(inFolder))
	if err != nil {
		return State{}, err
	}
	var files []exchange.Named
	for _, e := range entries {
		site, isFile := strings.CutSuffix(e.Name(), ".mom")
		if !isFile {
			continue
		}
		data, err := os.ReadFile(f.path(inFolder + "/" + e.Name()))
		if err != nil {
			return State{}, err
		}
		if err := p.first(site, data); err != nil {
			return State{}, fmt.Errorf("study: the file of %s: %w", site, err)
		}
		file, err := exchange.Read(data)
		if err != nil {
			return State{}, err
		}
		files = append(files, exchange.Named{Name: e.Name(), File: file})
	}
	if len(files) > p.Sites {
		return State{}, fmt.Errorf("study: %d sites have joined a study of %d: take one out of %s", len(files), p.Sites, f.path(inFolder))
	}
	if len(files) < p.Sites {
		return State{Missing: make([]string, p.Sites-len(files))}, nil
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Sites[0].Name < files[j].Sites[0].Name })
	all, err := exchange.Merge(files)
	if err != nil {
		return State{}, err
	}
	if err := check(all); err != nil {
		return State{}, err
	}
	return State{Joined: true, Added: true, Missing: names(all)}, f.save(all)
}

func names(f *exchange.File) []string {
	var out []string
	for _, s := range f.Sites {
		out = append(out, s.Name)
	}
	return out
}

// save writes the last of the totals.
func (f *Folder) save(t *exchange.File) error {
	data, err := t.Tail(len(t.Done))
	if err != nil {
		return err
	}
	return f.write(filepath.Join(totals, exchange.TotalName(len(t.Done))), data, 0o644)
}

// stop notes which site ended with an error, if any did.
func (f *Folder) stop(site string) error {
	if site != "" {
		return f.write(stopFile, []byte(site+"\n"), 0o644)
	}
	err := os.Remove(f.path(stopFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// posted reads what the sites have sent of the round under way.
func (f *Folder) posted(t *exchange.File) ([]*exchange.Post, State, error) {
	s := State{Joined: true, Rounds: len(t.Done)}
	posts := make([]*exchange.Post, len(t.Sites))
	for i, site := range t.Sites {
		data, err := os.ReadFile(f.path(inFolder + "/" + site.Name + ".mom"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, s, err
		}
		if err == nil && !exchange.IsFile(data) {
			if posts[i], err = f.post(site.Name, data); err != nil {
				return nil, s, fmt.Errorf("study: the file of %s: %w", site.Name, err)
			}
		}
		switch p := posts[i]; {
		case p == nil, !p.Failed && t.Has(p.Round):
			s.Missing = append(s.Missing, site.Name)
		case p.Failed:
			s.Stopped = site.Name
		}
	}
	return posts, s, nil
}

// add adds up the round under way, if all sites have sent theirs.
func (f *Folder) add(t *exchange.File) (State, error) {
	posts, s, err := f.posted(t)
	if err != nil {
		return s, err
	}
	if err := f.stop(s.Stopped); err != nil {
		return s, err
	}
	if len(s.Missing) > 0 || s.Stopped != "" {
		return s, nil
	}
	f.posts = nil
	if err := t.Take(posts); err != nil {
		return s, err
	}
	s.Rounds, s.Added, s.Missing = len(t.Done), true, names(t)
	if err = f.save(t); err != nil {
		f.known = nil // what is in memory is not in the folder
		return s, err
	}
	t.Done[len(t.Done)-1].Sum = nil // it is in the folder, and a study has thousands
	return s, nil
}

// State says how far a study is and which sites are in it, and changes nothing.
func (f *Folder) State() (State, []string, error) {
	p, err := f.Paper()
	if err != nil {
		return State{}, nil, err
	}
	t, err := f.Totals()
	if err != nil {
		return State{}, nil, err
	}
	if t != nil {
		_, s, err := f.posted(t)
		return s, names(t), err
	}
	entries, err := os.ReadDir(f.path(inFolder))
	if err != nil {
		return State{}, nil, err
	}
	var sites []string
	for _, e := range entries {
		if site, isFile := strings.CutSuffix(e.Name(), ".mom"); isFile {
			sites = append(sites, site)
		}
	}
	return State{Missing: make([]string, max(p.Sites-len(sites), 0))}, sites, nil
}
