// Package web is the workbench's door for browsers: the functions of internal/api
// over net/http, and the pages that call them. Everything is built in; no request
// goes anywhere else.
//
// Who may enter: whoever has the token, which is in the address that is printed,
// or knows the password. Requests that another page sends, or that come under
// another name than the server's, are refused. No path from a request reaches the
// file system: names are looked up among those that are there.
//
// It must not know how a number was computed, nor flags.
package web

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/moiety-go/moiety/internal/api"
)

// Options say how to serve. Dir alone is enough on the own machine.
type Options struct {
	Dir      string // the workspace: runs are its run folders
	Token    string // "" makes one
	Password string // "" lets the token alone in
	// Certificate is what others reach the server by; nil serves the own machine.
	Certificate *tls.Certificate
	// Hosts are further names that the server is called by.
	Hosts []string
	// MaxUpload is the most bytes of one file; 0 means 4 GiB.
	MaxUpload int64
	// Patience is how long a client may take for the next piece; 0 means 30 s.
	Patience time.Duration
}

const (
	defaultUpload   = 4 << 30
	defaultPatience = 30 * time.Second
)

// Server is the workbench behind HTTP. It must be closed.
type Server struct {
	o       Options
	api     *api.API
	store   api.Store
	handler http.Handler
	session string // what a cookie holds
	hosts   []string
	secure  bool
	stopped context.Context
	stop    context.CancelFunc
	wrong   chan struct{} // one at a time may be wrong about the password
}

// New opens a workspace; the context carries values for the work, not its end.
func New(ctx context.Context, o Options) (*Server, error) {
	if o.MaxUpload == 0 {
		o.MaxUpload = defaultUpload
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	if o.Token == "" {
		o.Token = secret()
	}
	store, err := api.NewFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, store: store, api: api.New(ctx, store, time.Now), session: secret(), secure: o.Certificate != nil, wrong: make(chan struct{}, 1)}
	s.api.WatchStudies(studiesIn(o.Dir))
	s.stopped, s.stop = context.WithCancel(context.Background())
	s.hosts = append([]string{"localhost", "127.0.0.1", "::1"}, o.Hosts...)
	if o.Certificate != nil {
		if leaf, err := x509.ParseCertificate(o.Certificate.Certificate[0]); err == nil {
			s.hosts = append(s.hosts, leaf.DNSNames...)
			for _, ip := range leaf.IPAddresses {
				s.hosts = append(s.hosts, ip.String())
			}
		}
	}
	s.handler = s.guard(s.routes())
	return s, nil
}

// secret makes a word that cannot be guessed.
func secret() string {
	b := make([]byte, 20)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// URL returns the address of a page, with the token.
func (s *Server) URL(addr net.Addr, page string) string {
	scheme, host := "http", addr.String()
	if s.secure {
		scheme = "https"
	}
	if len(s.o.Hosts) > 0 {
		_, port, _ := net.SplitHostPort(host)
		host = net.JoinHostPort(s.o.Hosts[0], port)
	}
	u := url.URL{Scheme: scheme, Host: host, Path: page, RawQuery: url.Values{"token": {s.o.Token}}.Encode()}
	return u.String()
}

// Serve answers on a listener until the context is done; then work is cancelled,
// answers on the way are finished, and nothing half written stays.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	h := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: nil, BaseContext: func(net.Listener) context.Context { return s.stopped },
	}
	if s.o.Certificate != nil {
		ln = tls.NewListener(ln, &tls.Config{Certificates: []tls.Certificate{*s.o.Certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(ln) }()
	select {
	case err := <-failed:
		return errors.Join(err, s.Close())
	case <-ctx.Done():
	}
	err := s.Close()
	quiet, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if e := h.Shutdown(quiet); e != nil {
		h.Close() // who does not let go is cut off
	}
	return err
}

// grace is how long work and answers may take to end.
const grace = 10 * time.Second

// Close cancels all work and waits until it is gone.
func (s *Server) Close() error {
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return s.api.Close(ctx)
}

// guard lets in who may enter, and says to browsers what pages may do.
func (s *Server) guard(next http.Handler) http.Handler {
	foreign := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "SAMEORIGIN")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !s.isOwnHost(r.Host) {
			s.refuse(w, r, http.StatusForbidden, fmt.Sprintf("This server is not called %q.", r.Host))
			return
		}
		if err := foreign.Check(r); err != nil || !s.isOwnOrigin(r) {
			s.refuse(w, r, http.StatusForbidden, "Requests of other pages are refused.")
			return
		}
		if r.URL.Path == "/login" && r.Method == http.MethodPost {
			s.login(w, r)
			return
		}
		if !s.mayEnter(w, r) {
			s.refuse(w, r, http.StatusUnauthorized, "Open the address that the program printed: it has the key in it.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// policy says what pages may load: what this server gives them. Styles of single
// elements are those of the drawings.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; " +
	"connect-src 'self'; frame-src 'self'; font-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

// isOwnHost reports whether a request is meant for this server: a page elsewhere
// that has its name point here (DNS rebinding) calls it by that name.
func (s *Server) isOwnHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(strings.ToLower(name), "[]")
	return slices.ContainsFunc(s.hosts, func(own string) bool { return strings.EqualFold(own, name) })
}

// isOwnOrigin reports whether a request comes from a page of this server, or from
// no page at all.
func (s *Server) isOwnOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		return err == nil && u.Host == r.Host
	}
	// A link elsewhere may lead to a page here; nothing else may come from there.
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "cross-site" && site != "same-site" || r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && !strings.HasPrefix(r.URL.Path, "/api/")
}

// mayEnter reports whether a request has the token, the cookie that it gave, or a
// header with it. A page that came with the token gets the cookie.
func (s *Server) mayEnter(w http.ResponseWriter, r *http.Request) bool {
	if token := r.URL.Query().Get("token"); token != "" && equal(token, s.o.Token) {
		s.welcome(w, r)
		return true
	}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && equal(bearer, s.o.Token) {
		return true
	}
	c, err := r.Cookie(cookieName(r))
	return err == nil && equal(c.Value, s.session)
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// cookieName has the port in it: browsers give cookies to all ports of a machine.
func cookieName(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return "moiety-" + port
}

func (s *Server) welcome(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: s.session, Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteStrictMode,
	})
}

// login takes the password, or the token.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	word := r.PostFormValue("password")
	if equal(word, s.o.Token) || s.o.Password != "" && equal(word, s.o.Password) {
		s.welcome(w, r)
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	s.wrong <- struct{}{} // guesses wait for each other
	defer func() { <-s.wrong }()
	select {
	case <-time.After(time.Second):
	case <-r.Context().Done():
	}
	s.refuse(w, r, http.StatusUnauthorized, "That is not the password.")
}
