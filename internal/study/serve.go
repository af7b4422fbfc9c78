package study

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/moiety-go/moiety/internal/exchange"
)

// Server is the coordinator's: sites send their files to it and wait for totals.
type Server struct {
	folder *Folder
	token  string
	check  func(*exchange.File) error
	notify func(State)

	mu      sync.Mutex
	changed chan struct{} // closed when totals have changed
	left    map[string]bool
	sites   int
	done    chan struct{} // closed when all sites have left

	coming chan struct{} // holds one for each file on its way: as many as there are sites
	ending sync.Mutex    // of whether all rounds are done, which takes a fit
	ended  bool
	still  time.Duration // how long a client may stand still
}

// patience is how long a request waits for totals before it asks again.
const patience = 20 * time.Second

// NewServer returns the server of a study; tell hears of every file that came.
func NewServer(f *Folder, check func(*exchange.File) error, notify func(State)) (*Server, error) {
	p, err := f.Paper()
	if err != nil {
		return nil, err
	}
	token, err := f.token()
	if err != nil {
		return nil, err
	}
	return &Server{
		folder: f, token: token, check: check, notify: notify, changed: make(chan struct{}), left: map[string]bool{}, sites: p.Sites, done: make(chan struct{}),
		coming: make(chan struct{}, p.Sites), still: stillness,
	}, nil
}

// token returns the token of the study, made once.
func (f *Folder) token() (string, error) {
	text, err := os.ReadFile(f.path(tokenFile))
	if err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	word, err := random()
	if err != nil {
		return "", err
	}
	return word, f.write(tokenFile, []byte(word+"\n"), secret)
}

// Token returns what sites must show.
func (s *Server) Token() string { return s.token }

// Handler returns the server's paths. Without the token every one answers 401.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /study", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, s.folder.path(paperFile)) })
	mux.HandleFunc("PUT /in/{site}", s.take)
	mux.HandleFunc("PUT /left/{site}", s.leave)
	mux.HandleFunc("GET /totals/{n}", s.give)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
			http.Error(w, "no token, or a wrong one", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// take keeps a file of a site and adds up what can be. A file on its way lies on disk, so
// that of several one alone is in memory.
func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	select {
	case s.coming <- struct{}{}:
		defer func() { <-s.coming }()
	default:
		http.Error(w, "as many files as there are sites are on their way: send it again", http.StatusServiceUnavailable)
		return
	}
	file, err := s.receive(w, r)
	if err != nil {
		http.Error(w, "the file did not arrive whole", http.StatusBadRequest)
		return
	}
	defer file.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	data, err := io.ReadAll(file)
	if err == nil {
		err = s.put(r.PathValue("site"), data)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	state, err := s.folder.Round(s.check)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	if state.Added || state.Stopped != "" {
		close(s.changed)
		s.changed = make(chan struct{})
	}
	s.notify(state)
}

// put keeps a file, no sums before the list of sites is made: they would be of nobody.
func (s *Server) put(site string, data []byte) error {
	list, err := s.folder.list()
	if err == nil && list == nil && !exchange.IsFile(data) {
		err = fmt.Errorf("study: the file of %s: %w", site, errNotYet)
	}
	if err != nil {
		return err
	}
	return s.folder.Put(site, data)
}

// give returns the total of a round, after a while if need be.
func (s *Server) give(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 0 {
		http.Error(w, "want the number of a round", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	for {
		s.mu.Lock()
		data, err := s.folder.Total(n)
		changed := s.changed
		s.mu.Unlock()
		switch {
		case err != nil:
			http.Error(w, strings.TrimPrefix(err.Error(), "study: "), http.StatusConflict)
			return
		case data != nil:
			s.send(w, data)
			return
		case r.FormValue("wait") == "":
			w.WriteHeader(http.StatusNoContent)
			return
		}
		select {
		case <-ctx.Done():
			w.WriteHeader(http.StatusNoContent)
			return
		case <-changed:
		}
	}
}

// leave hears that a site has all it needs, which is when the totals are all that the fit
// of the study needs: whoever has the token could say so sooner.
func (s *Server) leave(w http.ResponseWriter, r *http.Request) {
	site := r.PathValue("site")
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Time{}) // a fit takes its time
	err := s.mayLeave(r.Context(), site)
	_ = c.SetReadDeadline(time.Now().Add(s.still))
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left[site] = true; len(s.left) == s.sites {
		select {
		case <-s.done:
		default:
			close(s.done)
		}
	}
}

// mayLeave refuses names that are not in the list, and all before the last round.
func (s *Server) mayLeave(ctx context.Context, site string) error {
	s.mu.Lock()
	list, err := s.folder.list()
	s.mu.Unlock()
	switch {
	case err != nil:
		return err
	case list == nil || !slices.Contains(names(list), site):
		return fmt.Errorf("%s is no site of the study", site)
	}
	s.ending.Lock()
	defer s.ending.Unlock()
	if !s.ended {
		if s.ended, err = s.folder.Ready(ctx); err == nil && !s.ended {
			err = errors.New("not all rounds are done")
		}
	}
	return err
}

// Listen opens the address. Away from this computer it must be with TLS.
func Listen(address string, tls bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("study: ‹listen› %s: write HOST:PORT, such as 127.0.0.1:8440", address)
	}
	if !tls && !loopback(host) {
		return nil, fmt.Errorf("study: ‹listen› %s can be reached from other computers: add ‹cert› and ‹cert-key›, so that nobody can read on the way", address)
	}
	return net.Listen("tcp", address)
}

// Serve answers until all sites have all they need, or the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener, cert, key string) error {
	srv := s.server()
	failed := make(chan error, 1)
	go func() {
		if cert != "" {
			failed <- srv.ServeTLS(l, cert, key)
		} else {
			failed <- srv.Serve(l)
		}
	}()
	var why error
	select {
	case err := <-failed:
		return err
	case <-s.done:
	case <-ctx.Done():
		why = ctx.Err()
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(why, srv.Shutdown(end))
}
