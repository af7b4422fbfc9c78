package study

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/pass"
)

// Sent is a file that a site has sent.
type Sent struct {
	File  string // in the folder sent of the site's home, with a page beside it
	Round int    // 0 for the first file
	Mode  string
	What  string
	Bytes int
	Sum   string // SHA-256 of the bytes
	of    string // of the round, so that no round is sent twice with other numbers
}

// The log of a site lists every file that left it.
const (
	logFile    = "sent.csv"
	sentFolder = "sent"
)

func logHead() []string {
	return []string{"file", "round", "mode", "what", "bytes", "sha256", "fingerprint of the round"}
}

// Log lists all that a site has sent, in order.
func (h *Home) Log() ([]Sent, error) {
	f, err := os.Open(h.path(logFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.path(logFile), err)
	}
	var out []Sent
	for _, r := range rows[min(1, len(rows)):] {
		if len(r) != len(logHead()) {
			return nil, fmt.Errorf("%s: a line of %d fields, want %d", h.path(logFile), len(r), len(logHead()))
		}
		round, err1 := strconv.Atoi(r[1])
		bytes, err2 := strconv.Atoi(r[4])
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%s: %w", h.path(logFile), err)
		}
		out = append(out, Sent{r[0], round, r[2], r[3], bytes, r[5], r[6]})
	}
	return out, nil
}

// note keeps a file before it is sent, and lists it.
func (h *Home) note(s Sent, data []byte, page string) error {
	s.File = filepath.ToSlash(filepath.Join(sentFolder, fmt.Sprintf("%04d.mom", len(h.log))))
	sum := sha256.Sum256(data)
	s.Bytes, s.Sum = len(data), hex.EncodeToString(sum[:])
	for name, text := range map[string][]byte{s.File: data, s.File[:len(s.File)-len("mom")] + "txt": []byte(page)} {
		if err := durable.WriteFile(durable.OS{}, h.path(filepath.FromSlash(name)), text, secret); err != nil {
			return err
		}
	}
	h.log = append(h.log, s)
	f, err := os.OpenFile(h.path(logFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, secret)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	if len(h.log) == 1 {
		_ = w.Write(logHead()) // Flush keeps the error
	}
	_ = w.Write([]string{s.File, strconv.Itoa(s.Round), s.Mode, s.What, strconv.Itoa(s.Bytes), s.Sum, s.of})
	w.Flush()
	return errors.Join(w.Error(), f.Sync(), f.Close())
}

// before returns what was sent in a round already, nil where nothing was.
func (h *Home) before(of string) ([]byte, error) {
	for _, s := range h.log {
		if s.of == of {
			return os.ReadFile(h.path(filepath.FromSlash(s.File)))
		}
	}
	return nil, nil
}

// fingerprint names a round.
func fingerprint(r pass.Round) string {
	text, err := json.Marshal(r)
	if err != nil { // plain words and numbers
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// secret is the mode of the files of a site's home.
const secret = 0o600
