package web

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/study"
)

// studiesIn returns a function that lists the studies in a folder. It stands here and
// not in the API, which the one page has too: a page has no studies, and the servers and
// keys of them would make it larger.
func studiesIn(dir string) func() ([]api.Study, error) {
	return func() ([]api.Study, error) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		var out []api.Study
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			one, ok := studyIn(filepath.Join(dir, e.Name()))
			if ok {
				one.Folder = e.Name()
				out = append(out, one)
			}
		}
		return out, nil
	}
}

// studyIn tells of the study in a folder, if there is one; one that cannot be read
// says why.
func studyIn(dir string) (api.Study, bool) {
	out := api.Study{Joined: []string{}, Missing: []string{}, Sent: []api.Sent{}}
	if study.IsHome(dir) {
		if err := home(dir, &out); err != nil {
			out.Problem = err.Error()
		}
		return out, true
	}
	f := &study.Folder{Dir: dir}
	p, err := f.Paper()
	if errors.Is(err, study.ErrNone) {
		return out, false
	}
	if err == nil {
		err = coordinator(f, p, &out)
	}
	if err != nil {
		out.Problem = err.Error()
	}
	return out, true
}

func ofPaper(p *study.Paper, out *api.Study) {
	out.Name, out.Number, out.Sites, out.Open = p.Name, p.Number, p.Sites, p.Open()
}

func coordinator(f *study.Folder, p *study.Paper, out *api.Study) error {
	ofPaper(p, out)
	s, sites, err := f.State()
	if err != nil {
		return err
	}
	out.Rounds, out.Stopped = s.Rounds, s.Stopped
	out.Joined = append(out.Joined, sites...)
	for _, name := range s.Missing {
		if name == "" {
			out.Unnamed++
			continue
		}
		out.Missing = append(out.Missing, name)
	}
	return nil
}

func home(dir string, out *api.Study) error {
	h, err := study.OpenHome(dir)
	if err != nil {
		return err
	}
	ofPaper(h.Paper, out)
	out.Site = h.Name
	log, err := h.Log()
	for _, x := range log {
		out.Rounds = max(out.Rounds, x.Round)
		out.Sent = append(out.Sent, api.Sent{File: x.File, Round: x.Round, What: x.What, Bytes: x.Bytes, Sum: x.Sum})
	}
	return err
}
