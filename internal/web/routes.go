package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/show"
)

// What is long and seldom asked for is packed.
//
//go:generate gzip -9 -n -k -f assets/en.json assets/es.json assets/openapi.json
//go:embed assets/*.css assets/*.html assets/*.js assets/*.svg assets/*.gz
var assets embed.FS

// routes joins the functions of the API with their paths, and the pages.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, c := range s.api.Calls() {
		mux.HandleFunc(c.Method+" "+c.Path, func(w http.ResponseWriter, r *http.Request) { s.call(w, r, c) })
	}
	mux.HandleFunc("PUT /api/data", s.upload)
	mux.HandleFunc("GET /api/jobs/{job}/events", s.events)
	mux.HandleFunc("GET /api/runs/{run}/export/{format}", s.export)
	mux.HandleFunc("GET /api/runs/{run}/scores", s.scores)
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(mustAsset("openapi.json"))
	})
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, &api.Error{Kind: api.Unknown, Message: fmt.Sprintf("There is nothing at %s.", r.URL.Path)})
	})
	mux.HandleFunc("GET /assets/{file}", s.asset)
	s.pages(mux)
	return mux
}

// longestRequest is the size of the longest request but for data.
const longestRequest = 1 << 20

// call answers a function of the API.
func (s *Server) call(w http.ResponseWriter, r *http.Request, c api.Call) {
	q := c.New()
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestRequest))
		if err != nil {
			s.fail(w, tooLarge(err))
			return
		}
		if len(body) > 0 {
			if err := json.Unmarshal(body, q); err != nil {
				s.fail(w, &api.Error{Kind: api.Refused, Message: "The request is no JSON that can be understood: " + err.Error()})
				return
			}
		}
	}
	if err := bind(q, r, c.Path); err != nil {
		s.fail(w, err)
		return
	}
	answer, err := c.Do(r.Context(), q)
	s.answer(w, r, answer, err)
}

// answer writes a response, with a link to the next part of a list.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, answer any, err error) {
	if err != nil {
		s.fail(w, err)
		return
	}
	text, err := api.Marshal(answer)
	if err != nil {
		s.fail(w, err)
		return
	}
	if p, ok := answer.(api.Paged); ok && p.NextFrom() > 0 {
		next := *r.URL
		v := next.Query()
		v.Del("token")
		v.Set("from", fmt.Sprint(p.NextFrom()))
		next.RawQuery = v.Encode()
		w.Header().Set("Link", fmt.Sprintf("<%s>; rel=\"next\"", next.RequestURI()))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

// statuses are those of HTTP for kinds of errors.
var statuses = map[api.Kind]int{
	api.Unknown: http.StatusNotFound, api.Refused: http.StatusBadRequest, api.Unreadable: http.StatusUnprocessableEntity,
	api.TooLittle: http.StatusUnprocessableEntity, api.Busy: http.StatusConflict, api.Cancelled: http.StatusConflict, api.Fault: http.StatusInternalServerError,
}

// fail tells an error as JSON.
func (s *Server) fail(w http.ResponseWriter, err error) {
	e := api.Wrap(err)
	status := statuses[e.Kind]
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		status = http.StatusRequestEntityTooLarge
	}
	writeError(w, status, e)
}

func writeError(w http.ResponseWriter, status int, e *api.Error) {
	text, _ := json.Marshal(map[string]*api.Error{"error": e}) // of two strings
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}

// refuse turns a request away, in words for who sent it: a person gets a page to
// type the key or the password into.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	if strings.HasPrefix(r.URL.Path, "/api/") || strings.HasSuffix(r.URL.Path, ".json") || status != http.StatusUnauthorized {
		writeError(w, status, &api.Error{Kind: api.Refused, Message: why})
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, strings.ReplaceAll(string(mustAsset("login.html")), "WHY", html.EscapeString(why)))
}

// asset gives a built-in file.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	text, err := "", error(nil)
	switch name {
	case "report.css":
		text = show.StyleSheet()
	case "parts.js":
		text = show.Script()
	default:
		var b []byte
		b, err = builtIn(path.Base(name))
		text = string(b)
	}
	if err != nil {
		s.fail(w, &api.Error{Kind: api.Unknown, Message: "There is no such file."})
		return
	}
	types := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".html": "text/html; charset=utf-8", ".json": "application/json", ".svg": "image/svg+xml"}
	w.Header().Set("Content-Type", types[path.Ext(name)])
	io.WriteString(w, text)
}

func mustAsset(name string) []byte {
	b, err := builtIn(name)
	if err != nil {
		panic("web: a built-in file is missing: " + err.Error())
	}
	return b
}

// builtIn reads a built-in file, which may be packed.
func builtIn(name string) ([]byte, error) {
	packed, err := assets.ReadFile("assets/" + name + ".gz")
	if err != nil {
		return assets.ReadFile("assets/" + name)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
