package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/run"
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

// Ready reports whether the totals are all that the fit of the study needs.
func (f *Folder) Ready(ctx context.Context) (bool, error) {
	err := run.Ready(ctx, run.Order{Totals: []string{f.Sums()}, Unset: true})
	if errors.Is(err, exchange.ErrCarry) {
		return false, nil
	}
	return err == nil, err
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
	sites, err := f.arrived()
	if err != nil {
		return State{}, err
	}
	var files []exchange.Named
	for _, site := range sites {
		data, err := os.ReadFile(f.path(arrivalFile(site)))
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
		files = append(files, exchange.Named{Name: site, File: file})
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

// posted looks at what the sites have sent of the round under way.
func (f *Folder) posted(t *exchange.File) (State, error) {
	s := State{Joined: true, Rounds: len(t.Done)}
	for _, site := range t.Sites {
		a, err := f.there(site.Name)
		if err != nil {
			return s, fmt.Errorf("study: the file of %s: %w", site.Name, err)
		}
		switch {
		case a == nil, !a.failed && t.Has(a.round):
			s.Missing = append(s.Missing, site.Name)
		case a.failed:
			s.Stopped = site.Name
		}
	}
	return s, nil
}

// add adds up the round under way, if all sites have sent theirs.
func (f *Folder) add(t *exchange.File) (State, error) {
	s, err := f.posted(t)
	if err != nil {
		return s, err
	}
	if err := f.stop(s.Stopped); err != nil {
		return s, err
	}
	if len(s.Missing) > 0 || s.Stopped != "" {
		return s, nil
	}
	if err := t.Take(f.load(t)); err != nil {
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
		s, err := f.posted(t)
		return s, names(t), err
	}
	sites, err := f.arrived()
	if err != nil {
		return State{}, nil, err
	}
	return State{Missing: make([]string, max(p.Sites-len(sites), 0))}, sites, nil
}
