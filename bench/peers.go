package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed peers
var drivers embed.FS

// peers are other tools, in a virtual environment of their own.
type peers struct {
	python  string
	folder  string // of the drivers
	missing string // why there are none
}

// newPeers installs the tools where they are not yet.
func newPeers(ctx context.Context, venv string) *peers {
	p := &peers{}
	if err := p.install(ctx, venv); err != nil {
		p.missing = err.Error()
		fmt.Println("other tools are skipped:", p.missing)
	}
	return p
}

func (p *peers) install(ctx context.Context, venv string) error {
	if venv == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		venv = filepath.Join(cache, "moiety-bench", "venv")
	}
	p.python = filepath.Join(venv, "bin", "python")
	p.folder = filepath.Join(filepath.Dir(venv), "drivers")
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return err
	}
	files, err := drivers.ReadDir("peers")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := drivers.ReadFile("peers/" + f.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(p.folder, f.Name()), text, 0o644); err != nil {
			return err
		}
	}
	if _, err := os.Stat(p.python); err != nil {
		if out, err := exec.CommandContext(ctx, "python3", "-m", "venv", venv).CombinedOutput(); err != nil {
			return fmt.Errorf("no virtual environment: %w: %s", err, lastLine(string(out)))
		}
	}
	install := exec.CommandContext(ctx, p.python, "-m", "pip", "install", "-q", "-r", filepath.Join(p.folder, "requirements.txt"))
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("pip: %w: %s", err, lastLine(string(out)))
	}
	return nil
}

// other does a job with another tool.
func (b *bench) other(ctx context.Context, driver string, j Job) (*Report, error) {
	if b.peers.missing != "" {
		return nil, fmt.Errorf("skipped: %s", b.peers.missing)
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	// Older builds of OpenBLAS take new processors for very old ones.
	env := []string{}
	if os.Getenv("OPENBLAS_CORETYPE") == "" && avx512() {
		env = append(env, "OPENBLAS_CORETYPE=SkylakeX")
	}
	return median(repeats, func() (*Report, error) {
		return spawn(ctx, b.limit, env, b.peers.python, filepath.Join(b.peers.folder, driver), string(text))
	})
}
