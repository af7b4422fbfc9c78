package study

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// httpPost is the coordinator's server.
type httpPost struct {
	base   *url.URL
	token  string
	client *http.Client
}

func isAddress(where string) bool {
	return strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://")
}

// address cuts an address into itself and the token behind #.
func address(where string) (bare, token string) {
	if !isAddress(where) {
		return where, ""
	}
	bare, token, _ = strings.Cut(where, "#")
	return bare, token
}

// way returns the way to a study: by its address, or its folder.
func way(where, token, ca string) (post, error) {
	if !isAddress(where) {
		return folderPost{&Folder{Dir: where}}, nil
	}
	u, err := url.Parse(where)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		return nil, fmt.Errorf("study: %s is not this computer: without TLS others could read on the way; the address must begin with https", u.Host)
	}
	if token == "" {
		return nil, errors.New("study: the address has no token: copy it whole, with what stands behind #")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, err
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s holds no certificate (PEM)", ca)
		}
		transport.TLSClientConfig.RootCAs = pool
	}
	return &httpPost{u, token, &http.Client{Transport: transport}}, nil
}

// loopback reports whether a host is this computer.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ask sends a request and returns the answer; nil where there is nothing yet.
func (h *httpPost) ask(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	u := *h.base
	path, u.RawQuery, _ = strings.Cut(path, "?")
	u.Path = strings.TrimSuffix(u.Path, "/") + path
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+h.token)
	resp, err := h.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode == http.StatusNoContent:
		return nil, nil
	case resp.StatusCode == http.StatusUnauthorized:
		return nil, errors.New("study: the coordinator does not know the token: copy the address whole, with what stands behind #")
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("study: the coordinator says: %s", strings.TrimSpace(string(data)))
	}
	return data, nil
}

func (h *httpPost) paper(ctx context.Context) (*Paper, error) {
	data, err := h.ask(ctx, http.MethodGet, "/study", nil)
	if err != nil {
		return nil, err
	}
	return ReadPaper(data)
}

func (h *httpPost) put(ctx context.Context, site string, data []byte) error {
	_, err := h.ask(ctx, http.MethodPut, "/in/"+site, data)
	return err
}

func (h *httpPost) leave(ctx context.Context, site string) error {
	_, err := h.ask(ctx, http.MethodPut, "/left/"+site, nil)
	return err
}

func (h *httpPost) total(ctx context.Context, n int, wait bool) ([]byte, error) {
	path := "/totals/" + strconv.Itoa(n)
	if wait {
		path += "?wait=1"
	}
	for {
		if data, err := h.ask(ctx, http.MethodGet, path, nil); data != nil || err != nil || !wait {
			return data, err
		}
	}
}
