package study

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/moiety-go/moiety/internal/unfinished"
)

// mostBytes is the largest file of a site: moments of many thousand features.
const mostBytes = 1 << 30

// stillness is how long a client may neither send nor take a byte.
const stillness = time.Minute

// server returns the server, in which no client that stands still stays: a request has its
// time, and a file, on its way here or there, as much for every part of it.
func (s *Server) server() *http.Server {
	return &http.Server{Handler: s.Handler(), ReadHeaderTimeout: min(10*time.Second, s.still), ReadTimeout: s.still, IdleTimeout: s.still}
}

// receive puts what is sent into a file without a name.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) (*unfinished.Scratch, error) {
	f, err := unfinished.NewScratch(s.folder.Dir, "coming-*")
	if err != nil {
		return nil, err
	}
	body := moving{http.MaxBytesReader(w, r.Body, mostBytes), http.NewResponseController(w), s.still}
	if _, err = io.Copy(f, body); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// moving is the body of a request that ends where its client stands still.
type moving struct {
	io.Reader
	c     *http.ResponseController
	still time.Duration
}

// Read implements io.Reader.
func (m moving) Read(p []byte) (int, error) {
	if err := m.c.SetReadDeadline(time.Now().Add(m.still)); err != nil {
		return 0, err
	}
	return m.Reader.Read(p)
}

// send sends a total, as long as the client takes some of it.
func (s *Server) send(w http.ResponseWriter, data []byte) {
	const part = 1 << 20
	c := http.NewResponseController(w)
	for len(data) > 0 {
		n := min(part, len(data))
		if err := c.SetWriteDeadline(time.Now().Add(s.still)); err != nil {
			return
		}
		if _, err := w.Write(data[:n]); err != nil {
			return // who does not get it asks again
		}
		data = data[n:]
	}
}
