package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"html"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/web"
)

// serving are the flags of serve.
type serving struct {
	port         int
	listen       string
	cert, key    string
	passwordFile string
	token        string
	maxUpload    string
	noBrowser    bool
	open         bool
}

func (a *app) serveCommand() *cobra.Command {
	s := &serving{}
	c := &cobra.Command{
		Use:   "serve [DIR|RUN]",
		Short: "Open the workbench: the whole way from a file to its groups, in a browser",
		Long: `Starts the workbench and prints its address, which has a key in it. It answers
this machine alone; nothing goes anywhere else. DIR is the folder that analyses
are kept in (default: the folder moiety in your home), RUN an analysis to begin
with. --listen lets other machines in, by an encrypted connection and with the key
or a password.`,
		Example: `  moiety serve
  moiety serve wards --port 8080
  moiety serve --listen 0.0.0.0:8443 --tls-cert host.pem --tls-key host.key --password-file word`,
		Args: argsBetween(0, 1, "[DIR|RUN]"),
		RunE: func(c *cobra.Command, args []string) error { return a.serve(c.Context(), s, args) },
	}
	f := c.Flags()
	f.IntVar(&s.port, "port", 0, "port on this machine (0: any that is free)")
	f.BoolVar(&s.noBrowser, "no-browser", false, "do not open the browser")
	f.BoolVar(&s.open, "open", false, "open the browser, also where there is no terminal")
	f.StringVar(&s.listen, "listen", "", "answer at this HOST:PORT; for other machines it needs --tls-cert and --tls-key")
	f.StringVar(&s.cert, "tls-cert", "", "certificate of the connection, a PEM file")
	f.StringVar(&s.key, "tls-key", "", "its key, a PEM file")
	f.StringVar(&s.passwordFile, "password-file", "", "file whose first line lets people in, besides the key")
	f.StringVar(&s.token, "token", "", "the key, at least 16 characters (default: a new one every time)")
	f.StringVar(&s.maxUpload, "max-upload", "4GiB", "largest file that is taken")
	return c
}

// leastSecret is the length of the shortest key and password.
const (
	leastToken    = 16
	leastPassword = 10
)

// options checks the flags.
func (s *serving) options() (web.Options, error) {
	var o web.Options
	limit, err := parseBytes(s.maxUpload)
	if err != nil || limit <= 0 {
		return o, misuse("--max-upload %s: write 500MB, 2GB, 1.5GiB", s.maxUpload)
	}
	o.MaxUpload, o.Token = limit, s.token
	if s.token != "" && len(s.token) < leastToken {
		return o, misuse("--token: write at least %d characters, or leave it out for a new key every time", leastToken)
	}
	if err := s.connection(&o); err != nil {
		return o, err
	}
	if s.passwordFile != "" {
		text, err := os.ReadFile(s.passwordFile)
		if err != nil {
			return o, err
		}
		o.Password, _, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
		if len(o.Password) < leastPassword {
			return o, misuse("--password-file %s: its first line is shorter than %d characters", s.passwordFile, leastPassword)
		}
	}
	return o, nil
}

// connection checks who may reach the workbench, and how. Other machines are answered by
// an encrypted connection only.
func (s *serving) connection(o *web.Options) error {
	encrypted := s.cert != "" || s.key != ""
	if s.listen == "" {
		if encrypted {
			return misuse("--tls-cert and --tls-key are for --listen: this machine needs no encryption to talk to itself")
		}
		return nil
	}
	if s.port != 0 {
		return misuse("--listen has a port of its own: leave --port out")
	}
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return misuse("--listen %s: write HOST:PORT", s.listen)
	}
	ip := net.ParseIP(host)
	if host != "" && (ip == nil || !ip.IsUnspecified()) {
		o.Hosts = append(o.Hosts, host)
	}
	if here := host == "localhost" || ip != nil && ip.IsLoopback(); here && !encrypted {
		return nil
	}
	if s.cert == "" || s.key == "" {
		return misuse("--listen %s: other machines are answered by an encrypted connection only: add --tls-cert FILE and --tls-key FILE", s.listen)
	}
	cert, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	o.Certificate = &cert
	return nil
}

// workspace says where analyses are kept, and which page to begin with.
func workspace(args []string) (dir, page string, err error) {
	if len(args) == 0 {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "", fmt.Errorf("there is no home folder (%w): name a folder", err)
		}
		return filepath.Join(home, "moiety"), "/", nil
	}
	dir, err = filepath.Abs(args[0])
	if err != nil {
		return "", "", err
	}
	switch info, err := os.Stat(dir); {
	case err == nil && !info.IsDir():
		return "", "", misuse("%s is a file: name a folder, and drop the file into the page", args[0])
	case run.IsRun(dir):
		return filepath.Dir(dir), "/runs/" + filepath.Base(dir), nil
	}
	return dir, "/", nil
}

// isInteractive reports whether somebody sits at a screen.
func (a *app) isInteractive() bool {
	onScreen := runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	return onScreen && term.IsTerminal(int(a.out.Fd()))
}

// redirect writes a page that leads to the address, which only this user may read, and
// returns its path: everybody on a machine can read the arguments of a browser's start, and
// the key is in the address. It lies in the folder of the analyses, because some browsers
// may open neither hidden nor temporary files.
func redirect(dir, url string) (path string, err error) {
	f, err := os.CreateTemp(dir, "open-*.html") // mode 0600
	if err != nil {
		return "", err
	}
	address := html.EscapeString(url)
	_, err = fmt.Fprintf(f, "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=%s\"><title>moiety</title><a href=\"%[1]s\">The workbench</a>\n", address)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// serve answers until the program is told to stop.
func (a *app) serve(ctx context.Context, s *serving, args []string) error {
	o, err := s.options()
	if err != nil {
		return err
	}
	var page string
	if o.Dir, page, err = workspace(args); err != nil {
		return err
	}
	addr := s.listen
	if addr == "" {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port))
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%s cannot be listened to (%w): choose another port with --port", addr, err)
	}
	server, err := web.New(ctx, o)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	url := server.URL(ln.Addr(), page)
	a.say("The workbench keeps its analyses in %s. Stop it with Ctrl-C.", o.Dir)
	if a.json {
		if err := a.document("serve", struct {
			URL string `json:"url"`
			Dir string `json:"dir"`
		}{url, o.Dir}); err != nil {
			return err
		}
	} else {
		a.print("%s\n", url)
	}
	if s.open || !s.noBrowser && a.isInteractive() {
		door, err := redirect(o.Dir, url)
		if err == nil {
			defer os.Remove(door)
			err = openPage(ctx, door)
		}
		if err != nil {
			a.say("The browser could not be opened (%v): open the address by hand.", err)
		}
	}
	err = server.Serve(ctx, ln)
	if ctx.Err() != nil && err == nil {
		a.say("Stopped; nothing half done was kept.")
		return nil
	}
	return err
}
