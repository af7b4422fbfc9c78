package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/moiety-go/moiety/internal/api"
)

// patient is a body whose every piece must come in time.
type patient struct {
	r        io.Reader
	control  *http.ResponseController
	patience time.Duration
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.control.SetReadDeadline(time.Now().Add(p.patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return p.r.Read(b)
}

// patientWriter is an answer whose every piece must be taken in time.
type patientWriter struct {
	w        io.Writer
	control  *http.ResponseController
	patience time.Duration
}

func (p *patientWriter) Write(b []byte) (int, error) {
	if err := p.control.SetWriteDeadline(time.Now().Add(p.patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return p.w.Write(b)
}

// upload keeps a file of data: the body is the file, the query has its name.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	tooMuch := &http.MaxBytesError{Limit: s.o.MaxUpload}
	if r.ContentLength > s.o.MaxUpload { // refused before a byte of it is read
		w.Header().Set("Connection", "close")
		s.fail(w, tooLarge(tooMuch))
		return
	}
	body := http.MaxBytesReader(w, r.Body, s.o.MaxUpload)
	file, err := s.store.PutData(r.Context(), r.URL.Query().Get("name"), &patient{body, http.NewResponseController(w), s.o.Patience})
	if err != nil {
		s.fail(w, tooLarge(err))
		return
	}
	s.answer(w, r, file, nil)
}

// tooLarge words an error about a body.
func tooLarge(err error) error {
	var large *http.MaxBytesError
	if !errors.As(err, &large) {
		return err
	}
	return errors.Join(&api.Error{Kind: api.Refused, Message: fmt.Sprintf(
		"The file is larger than %s, the most that this server takes: start it with --max-upload, or use \"moiety fit\".", megabytes(large.Limit))}, err)
}

func megabytes(n int64) string {
	if n >= 10<<30 || n%(1<<30) == 0 {
		return fmt.Sprintf("%d GiB", n>>30)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// Times of the stream of events.
const (
	eventPause = 150 * time.Millisecond
	heartbeat  = 10 * time.Second
)

// events tells how far work is, until it is over (server-sent events).
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("job")
	if _, _, err := s.api.Watch(id); err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	out := &patientWriter{w, control, s.o.Patience}
	for {
		job, changed, err := s.api.Watch(id)
		if err != nil {
			return
		}
		text, err := api.Marshal(job)
		if err != nil {
			return
		}
		line, err := compact(text)
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(out, "data: %s\n\n", line); err != nil || control.Flush() != nil || job.State.Over() {
			return
		}
		select { // not more often than eyes can follow
		case <-r.Context().Done():
			return
		case <-time.After(eventPause):
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-time.After(heartbeat):
		}
	}
}

// compact writes JSON on one line, as an event needs it.
func compact(text []byte) ([]byte, error) {
	var v json.RawMessage = text
	return json.Marshal(v)
}

// export gives a run in another form, as a file or, with inline, as a page.
func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	var q api.ExportRequest
	if err := bind(&q, r, "{run}{format}"); err != nil {
		s.fail(w, err)
		return
	}
	x, err := s.api.Export(r.Context(), q)
	if err != nil {
		s.fail(w, err)
		return
	}
	defer x.Close()
	h := w.Header()
	h.Set("Content-Type", x.Type)
	if r.URL.Query().Has("inline") {
		// Such a page holds all it needs: it may not ask anybody for anything.
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; frame-ancestors 'self'; sandbox allow-scripts allow-downloads")
	} else {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": x.Name}))
	}
	s.stream(w, x.Write)
}

// scores gives where new records belong, one line each.
func (s *Server) scores(w http.ResponseWriter, r *http.Request) {
	var q api.ScoreRequest
	if err := bind(&q, r, "{run}"); err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": q.Run + "-scores.csv"}))
	s.stream(w, func(out io.Writer) error { return s.api.WriteScores(r.Context(), q, out) })
}

// held keeps the first bytes of an answer back, so that an error that comes
// before them is reported as one.
type held struct {
	to    io.Writer
	first []byte
	open  bool
}

const heldBytes = 32 << 10

func (h *held) Write(b []byte) (int, error) {
	if !h.open && len(h.first)+len(b) <= heldBytes {
		h.first = append(h.first, b...)
		return len(b), nil
	}
	if err := h.flush(); err != nil {
		return 0, err
	}
	return h.to.Write(b)
}

func (h *held) flush() error {
	if h.open {
		return nil
	}
	h.open = true
	_, err := h.to.Write(h.first)
	return err
}

// stream writes an answer of any length. What fails half way is cut off, so that
// nobody takes it for whole.
func (s *Server) stream(w http.ResponseWriter, write func(io.Writer) error) {
	out := &held{to: &patientWriter{w, http.NewResponseController(w), s.o.Patience}}
	err := write(out)
	switch {
	case err == nil:
		err = out.flush()
	case !out.open:
		w.Header().Del("Content-Disposition")
		w.Header().Set("Content-Security-Policy", policy)
		s.fail(w, err)
		return
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
}
