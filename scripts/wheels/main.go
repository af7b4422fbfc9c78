// Command wheels builds the Python package: one wheel for each system, with the
// static program inside. A wheel is a zip archive of a fixed layout (the binary
// distribution format of Python, version 1.0), so that nothing but Go is needed.
//
//	go run ./scripts/wheels -o dist          all systems
//	go run ./scripts/wheels -o dist -local   this one
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// system is one that wheels are made for, and its name in the names of wheels. A
// static program needs no C library: one file serves old and new, glibc and musl.
type system struct{ os, arch, tag string }

var systems = []system{
	{"linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win_amd64"},
}

func main() {
	out := flag.String("o", "dist", "folder to write")
	local := flag.Bool("local", false, "for this system alone")
	source := flag.String("python", "python", "folder of the package")
	flag.Parse()
	if err := build(*source, *out, *local); err != nil {
		fmt.Fprintln(os.Stderr, "wheels:", err)
		os.Exit(1)
	}
}

func build(source, out string, local bool) error {
	version, err := versionOf(source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	made := 0
	for _, s := range systems {
		if local && (s.os != runtime.GOOS || s.arch != runtime.GOARCH) {
			continue
		}
		name := filepath.Join(out, fmt.Sprintf("moiety-%s-py3-none-%s.whl", version, s.tag))
		if err := s.wheel(source, version, name); err != nil {
			return err
		}
		made++
		fmt.Println(name)
	}
	if made == 0 {
		return fmt.Errorf("no wheel is made for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return nil
}

var versionLine = regexp.MustCompile(`(?m)^__version__ = "([^"]+)"$`)

func versionOf(source string) (string, error) {
	text, err := os.ReadFile(filepath.Join(source, "moiety", "__init__.py"))
	if err != nil {
		return "", err
	}
	m := versionLine.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("no __version__ in %s", source)
	}
	return string(m[1]), nil
}

// wheel builds the program and packs it.
func (s system) wheel(source, version, name string) error {
	program, err := s.program()
	if err != nil {
		return err
	}
	w := &wheel{info: "moiety-" + version + ".dist-info"}
	files, err := filesOf(source)
	if err != nil {
		return err
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(f)))
		if err != nil {
			return err
		}
		w.add(f, data, 0o644)
	}
	binary := "moiety/bin/moiety"
	if s.os == "windows" {
		binary += ".exe"
	}
	w.add(binary, program, 0o755)
	readme, err := os.ReadFile(filepath.Join(source, "README.md"))
	if err != nil {
		return err
	}
	w.add(w.info+"/METADATA", metadata(version, readme), 0o644)
	w.add(w.info+"/WHEEL", s.about(), 0o644)
	w.add(w.info+"/entry_points.txt", []byte("[console_scripts]\nmoiety = moiety._program:main\n"), 0o644)
	for _, name := range licences() {
		text, err := os.ReadFile(filepath.Join(source, "..", name))
		if err != nil {
			return err
		}
		w.add(w.info+"/licenses/"+name, text, 0o644)
	}
	data, err := w.close()
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// licences are the files with the terms of the program and of what it links.
func licences() []string { return []string{"LICENSE", "THIRD_PARTY_LICENSES"} }

// program returns the stripped static program.
func (s system) program() ([]byte, error) {
	dir, err := os.MkdirTemp("", "wheels-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "moiety")
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/moiety")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+s.os, "GOARCH="+s.arch)
	if said, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s/%s: %w: %s", s.os, s.arch, err, said)
	}
	return os.ReadFile(path)
}

// filesOf lists the modules of the package.
func filesOf(source string) (files []string, err error) {
	err = fs.WalkDir(os.DirFS(source), "moiety", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(p) == ".py" {
			files = append(files, p)
		}
		return err
	})
	slices.Sort(files)
	return files, err
}

func metadata(version string, readme []byte) []byte {
	var b bytes.Buffer
	for _, line := range []string{
		"Metadata-Version: 2.4", "Name: moiety", "Version: " + version,
		"Summary: Hidden groups in data by the method of moments: topics, profiles, classes, populations, states",
		"License-Expression: Apache-2.0", "License-File: LICENSE", "License-File: THIRD_PARTY_LICENSES",
		"Requires-Python: >=3.9",
		"Requires-Dist: numpy>=1.22", "Requires-Dist: scipy>=1.8", "Requires-Dist: scikit-learn>=1.6",
		"Description-Content-Type: text/markdown", "",
	} {
		b.WriteString(line + "\n")
	}
	b.Write(readme)
	return b.Bytes()
}

func (s system) about() []byte {
	var b strings.Builder
	b.WriteString("Wheel-Version: 1.0\nGenerator: moiety\nRoot-Is-Purelib: false\n")
	for tag := range strings.SplitSeq(s.tag, ".") {
		b.WriteString("Tag: py3-none-" + tag + "\n")
	}
	return []byte(b.String())
}

// wheel is an archive and the list of what is in it.
type wheel struct {
	info   string
	body   bytes.Buffer
	z      *zip.Writer
	record strings.Builder
	err    error
}

// add packs a file. Times are left out: the same sources give the same bytes.
func (w *wheel) add(name string, data []byte, mode fs.FileMode) {
	if w.z == nil {
		w.z = zip.NewWriter(&w.body)
		w.z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(out, flate.BestCompression)
		})
	}
	if w.err != nil {
		return
	}
	h := &zip.FileHeader{Name: name, Method: zip.Deflate}
	h.SetMode(mode)
	f, err := w.z.CreateHeader(h)
	if err == nil {
		_, err = f.Write(data)
	}
	w.err = err
	sum := sha256.Sum256(data)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
}

// close adds the list and returns the archive.
func (w *wheel) close() ([]byte, error) {
	list := w.info + "/RECORD"
	w.record.WriteString(list + ",,\n")
	text := w.record.String()
	w.add(list, []byte(text), 0o644)
	if w.err != nil {
		return nil, w.err
	}
	if err := w.z.Close(); err != nil {
		return nil, err
	}
	return w.body.Bytes(), nil
}
