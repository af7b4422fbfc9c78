// Command dist packs the program for five systems: an archive each with the static
// program, the license, a page on how to start it and, where a double click needs
// one, a file to click; and a list of checksums. The same sources give the same
// bytes.
//
//	go run ./scripts/dist -o dist          all systems
//	go run ./scripts/dist -o dist -local   this one
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

type system struct{ os, arch string }

var systems = []system{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

func main() {
	out := flag.String("o", "dist", "folder to write")
	local := flag.Bool("local", false, "for this system alone")
	flag.Parse()
	if err := pack(*out, *local); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// file is one entry of an archive.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

func pack(out string, local bool) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, s := range systems {
		if local && (s.os != runtime.GOOS || s.arch != runtime.GOARCH) {
			continue
		}
		program, err := s.build()
		if err != nil {
			return err
		}
		name, archive, err := s.archive(".", program)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), archive, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive), name)
		fmt.Printf("%s %.1f MB\n", filepath.Join(out, name), float64(len(archive))/1e6)
	}
	if sums.Len() == 0 {
		return fmt.Errorf("nothing is made for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// clickable starts the workbench where a double click opens a terminal.
const clickable = "#!/bin/sh\nexec \"$(dirname \"$0\")/moiety\" serve --open\n"

// archive packs the program of a system with what goes along; root is the folder of the
// sources.
func (s system) archive(root string, program []byte) (name string, content []byte, err error) {
	files, err := s.files(root, program)
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	name = fmt.Sprintf("moiety-%s-%s", s.os, s.arch)
	if s.os == "linux" {
		name += ".tar.gz"
		err = tarball(&b, files)
	} else {
		name += ".zip"
		err = zipped(&b, files)
	}
	return name, b.Bytes(), err
}

// files are those of the archive of a system.
func (s system) files(root string, program []byte) ([]file, error) {
	name := "moiety"
	if s.os == "windows" {
		name += ".exe"
	}
	out := []file{{name, 0o755, program}}
	if s.os == "darwin" {
		out = append(out, file{"moiety.command", 0o755, []byte(clickable)})
	}
	for _, doc := range []string{"LICENSE", "THIRD_PARTY_LICENSES", "CHANGELOG.md", "docs/workbench.md", "docs/privacy.md"} {
		text, err := os.ReadFile(filepath.Join(root, doc))
		if err != nil {
			return nil, err
		}
		out = append(out, file{filepath.Base(doc), 0o644, text})
	}
	return out, nil
}

// build compiles the program.
func (s system) build() ([]byte, error) {
	dir, err := os.MkdirTemp("", "moiety-dist-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "moiety")
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/moiety")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+s.os, "GOARCH="+s.arch)
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s/%s: %w", s.os, s.arch, err)
	}
	return os.ReadFile(path)
}

// folder is what archives unpack to.
const folder = "moiety/"

// epoch is the time of all entries: archives of the same sources are the same.
func epoch() time.Time { return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) }

func tarball(w io.Writer, files []file) error {
	g, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(g)
	for _, f := range files {
		if err := t.WriteHeader(&tar.Header{Name: folder + f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: epoch()}); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), g.Close())
}

func zipped(w io.Writer, files []file) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + f.name, Method: zip.Deflate, Modified: epoch()}
		h.SetMode(f.mode)
		e, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := e.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}
