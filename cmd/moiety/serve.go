package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
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
	f.StringVar(&s.listen, "listen", "", "answer other machines at this HOST:PORT; needs --tls-cert and --tls-key")
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
	switch {
	case s.token != "" && len(s.token) < leastToken:
		return o, misuse("--token: write at least %d characters, or leave it out for a new key every time", leastToken)
	case s.listen == "" && (s.cert != "" || s.key != ""):
		return o, misuse("--tls-cert and --tls-key are for --listen: this machine needs no encryption to talk to itself")
	case s.listen != "" && s.port != 0:
		return o, misuse("--listen has a port of its own: leave --port out")
	case s.listen != "" && (s.cert == "" || s.key == ""):
		return o, misuse("--listen: other machines are answered by an encrypted connection only: add --tls-cert FILE and --tls-key FILE")
	}
	if s.listen != "" {
		cert, err := tls.LoadX509KeyPair(s.cert, s.key)
		if err != nil {
			return o, fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
		o.Certificate = &cert
		host, _, err := net.SplitHostPort(s.listen)
		if err != nil {
			return o, misuse("--listen %s: write HOST:PORT", s.listen)
		}
		if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
			o.Hosts = append(o.Hosts, host)
		}
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
		if err := openPage(ctx, url); err != nil {
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
