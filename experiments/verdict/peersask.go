package verdict

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// keptIn names the file in which answers of other tools are kept ($MOIETY_PEERS): they
// take an hour, and the tables that they answer for are the same in every run.
func keptIn() string { return os.Getenv("MOIETY_PEERS") }

// key tells tables apart by what other tools see of them.
func (t peerTask) key() string {
	h := sha256.New()
	fmt.Fprintln(h, t.Kind, t.Rows, t.Cols, t.Labels)
	h.Write([]byte(t.Values))
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// ask runs the other tools over all tables that no answer is kept of.
func (p *peers) ask(ctx context.Context, tasks []peerTask) ([]peerAnswer, error) {
	kept, err := readKept(keptIn())
	if err != nil {
		return nil, err
	}
	var answers []peerAnswer
	var open []peerTask
	for _, t := range tasks {
		t.Key = t.key()
		if kept[t.Key] == nil {
			open = append(open, t)
			continue
		}
		for _, a := range kept[t.Key] {
			a.Name = t.Name
			answers = append(answers, a)
		}
	}
	if len(open) == 0 {
		return answers, nil
	}
	fresh, err := p.run(ctx, open)
	return append(answers, fresh...), err
}

// readKept reads answers by the key of their table.
func readKept(path string) (map[string][]peerAnswer, error) {
	out := map[string][]peerAnswer{}
	if path == "" {
		return out, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	for line := range bytes.Lines(text) {
		var a peerAnswer
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out[a.Key] = append(out[a.Key], a)
	}
	return out, err
}

// run has the other tools answer, and keeps what they say.
func (p *peers) run(ctx context.Context, tasks []peerTask) ([]peerAnswer, error) {
	dir, err := os.MkdirTemp("", "moiety-peers")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var lines bytes.Buffer
	for _, t := range tasks {
		b, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		lines.Write(append(b, '\n'))
	}
	script, tables := filepath.Join(dir, "peers.py"), filepath.Join(dir, "tables.jsonl")
	if err := errors.Join(os.WriteFile(script, peersScript, 0o600), os.WriteFile(tables, lines.Bytes(), 0o600)); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, p.python, script, tables)
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the other tools: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return keep(out, keptIn())
}

// keep reads answers and adds them to the file.
func keep(out []byte, path string) ([]peerAnswer, error) {
	var answers []peerAnswer
	var text bytes.Buffer
	for scan := bufio.NewScanner(bytes.NewReader(out)); scan.Scan(); {
		var a peerAnswer
		if err := json.Unmarshal(scan.Bytes(), &a); err != nil {
			return nil, fmt.Errorf("the other tools: %w: %s", err, scan.Text())
		}
		answers = append(answers, a)
		if a.Note == "" {
			fmt.Fprintf(&text, "%s\n", scan.Bytes())
		}
	}
	if path == "" {
		return answers, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(f, &text)
	return answers, errors.Join(err, f.Close())
}
