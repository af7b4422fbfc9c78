package web

import (
	"net/http"
	"strings"

	"github.com/moiety-go/moiety/internal/api"
)

// page is a screen: its path, and the function whose answer it shows.
type page struct {
	path string
	json func(s *Server, r *http.Request) (any, error)
}

// pageList lists the screens. Each is also there as JSON: its path with .json.
func pageList() []page {
	return []page{
		{"/{$}", (*Server).startJSON},
		{"/index.json", (*Server).startJSON},
		{"/data/{data}", (*Server).dataJSON},
		{"/jobs/{job}", func(s *Server, r *http.Request) (any, error) {
			return s.api.Job(r.Context(), api.JobRequest{Job: r.PathValue("job")})
		}},
		{"/runs/{run}", (*Server).groupsJSON},
		{"/runs/{run}/{screen}", (*Server).screenJSON},
		{"/studies", (*Server).studiesJSON},
		{"/studies.json", (*Server).studiesJSON},
		{"/settings", (*Server).aboutJSON},
		{"/settings.json", (*Server).aboutJSON},
		{"/help", (*Server).aboutJSON},
		{"/help.json", (*Server).aboutJSON},
	}
}

// pages serves the shell of the screens, and their answers as JSON.
func (s *Server) pages(mux *http.ServeMux) {
	for _, p := range pageList() {
		mux.HandleFunc("GET "+p.path, func(w http.ResponseWriter, r *http.Request) {
			last := r.URL.Path
			for _, name := range []string{"data", "job", "run", "screen"} {
				if v, ok := strings.CutSuffix(r.PathValue(name), ".json"); ok && strings.HasSuffix(last, ".json") && strings.HasSuffix(strings.TrimSuffix(last, ".json"), v) {
					r.SetPathValue(name, v)
				}
			}
			if strings.HasSuffix(last, ".json") {
				answer, err := p.json(s, r)
				s.answer(w, r, answer, err)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(mustAsset("index.html"))
		})
	}
}

// start is what the first screen shows.
type start struct {
	About *api.About    `json:"about"`
	Runs  *api.RunList  `json:"runs"`
	Data  *api.DataList `json:"data"`
	Jobs  *api.JobList  `json:"jobs"`
}

func (s *Server) startJSON(r *http.Request) (any, error) {
	ctx := r.Context()
	var out start
	var q api.PageRequest
	if err := bind(&q, r, ""); err != nil {
		return nil, err
	}
	var err error
	if out.About, err = s.api.About(ctx, api.Nothing{}); err != nil {
		return nil, err
	}
	if out.Runs, err = s.api.Runs(ctx, q); err != nil {
		return nil, err
	}
	if out.Data, err = s.api.Data(ctx, api.Nothing{}); err != nil {
		return nil, err
	}
	out.Jobs, err = s.api.Jobs(ctx, api.Nothing{})
	return &out, err
}

// dataJSON reads data and waits for what was understood.
func (s *Server) dataJSON(r *http.Request) (any, error) {
	j, err := s.api.StartRead(r.Context(), api.DataRequest{Data: r.PathValue("data")})
	return s.wait(r, j, err)
}

// wait waits until work is over, and cancels it when the client goes away.
func (s *Server) wait(r *http.Request, j *api.Job, err error) (any, error) {
	for {
		if err != nil {
			return nil, err
		}
		var changed <-chan struct{}
		if j, changed, err = s.api.Watch(j.ID); err != nil {
			return nil, err
		}
		if j.Error != nil {
			return nil, j.Error
		}
		if j.State.Over() {
			return j.Result, nil
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			_, err = s.api.Cancel(r.Context(), api.JobRequest{Job: j.ID})
			if err == nil {
				err = r.Context().Err()
			}
		}
	}
}

func (s *Server) groupsJSON(r *http.Request) (any, error) {
	q := api.RunRequest{}
	if err := bind(&q, r, "{run}"); err != nil {
		return nil, err
	}
	return s.api.Groups(r.Context(), q)
}

func (s *Server) aboutJSON(r *http.Request) (any, error) {
	return s.api.About(r.Context(), api.Nothing{})
}

func (s *Server) studiesJSON(r *http.Request) (any, error) {
	return s.api.Studies(r.Context(), api.Nothing{})
}

// screenJSON answers the further screens of a run.
func (s *Server) screenJSON(r *http.Request) (any, error) {
	if _, err := s.store.Stamp(r.PathValue("run")); err != nil {
		return nil, err
	}
	switch r.PathValue("screen") {
	case "compare":
		var q api.CompareRequest
		if err := bind(&q, r, "{run}"); err != nil || q.With != "" {
			if err != nil {
				return nil, err
			}
			return s.api.Compare(r.Context(), q)
		}
		return s.api.Runs(r.Context(), api.PageRequest{})
	case "members":
		var q api.MembersRequest
		if err := bind(&q, r, "{run}"); err != nil {
			return nil, err
		}
		if q.Group == "" {
			q.Group = "1"
		}
		return s.api.Members(r.Context(), q)
	case "score":
		var q api.ScoreRequest
		if err := bind(&q, r, "{run}"); err != nil || q.Data != "" {
			if err != nil {
				return nil, err
			}
			j, err := s.api.StartScore(r.Context(), q)
			return s.wait(r, j, err)
		}
		return s.api.Data(r.Context(), api.Nothing{})
	case "report":
		return s.api.About(r.Context(), api.Nothing{})
	case "texts", "courses":
		return s.groupsJSON(r)
	}
	return nil, &api.Error{Kind: api.Unknown, Message: "There is no such screen."}
}
