//go:build unix

package outfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/unfinished"
)

func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "sub", "target"), filepath.Join(dir, "link")
	if err := os.Mkdir(filepath.Dir(target), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("sub", "target"), link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before string
		ok     bool
	}{{"-", true}, {"note: old", true}, {"precious", false}} {
		os.Remove(target)
		if c.before != "-" {
			put(t, target, c.before)
		}
		if err := write(link, "note: new", Options{}); (err == nil) != c.ok {
			t.Errorf("a link to %q: %v", c.before, err)
		}
		if to, err := os.Readlink(link); err != nil || to != filepath.Join("sub", "target") {
			t.Errorf("the link became %q (%v)", to, err)
		}
		if want := map[bool]string{true: "note: new", false: c.before}[c.ok]; content(t, target) != want {
			t.Errorf("the target of the link holds %q, want %q", content(t, target), want)
		}
	}
	// A link in a folder that is itself a link.
	other := filepath.Join(dir, "other")
	if err := os.Symlink("sub", other); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../beside", filepath.Join(dir, "sub", "up")); err != nil {
		t.Fatal(err)
	}
	if err := write(filepath.Join(other, "up"), "note:", Options{}); err != nil || content(t, filepath.Join(dir, "beside")) != "note:" {
		t.Errorf("a link in a linked folder: %v", err)
	}
	circle := filepath.Join(dir, "circle")
	if err := os.Symlink(circle, circle); err != nil {
		t.Fatal(err)
	}
	if err := write(circle, "note:", Options{}); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("a circle: %v", err)
	}
}

func TestDevicesAndPipes(t *testing.T) {
	if err := write("/dev/null", "note:", Options{Force: true}); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		t.Fatalf("/dev/null is gone: %v", err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		err := write("/dev/full", "note:", Options{Force: true})
		if err == nil || !strings.Contains(err.Error(), "/dev/full cannot be written") || !strings.Contains(err.Error(), "full") {
			t.Errorf("/dev/full: %v", err)
		}
		if info, err := os.Stat("/dev/full"); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
			t.Fatalf("/dev/full is gone: %v", err)
		}
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	waited := false
	err := write(pipe, "note: through", Options{Waiting: func() {
		waited = true
		go func() {
			b, _ := os.ReadFile(pipe)
			read <- string(b)
		}()
	}})
	if got := <-read; err != nil || !waited || got != "note: through" {
		t.Errorf("the pipe gave %q (%v)", got, err)
	}
	onlyFiles(t, filepath.Dir(pipe), "pipe")
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	if _, err := Create(ctx, pipe, note, Options{}); err == nil {
		t.Error("a pipe without a reader was opened")
	}
	if err := write(filepath.Join(t.TempDir(), "x")+"/", "note:", Options{}); err == nil {
		t.Error("a name of a folder was taken")
	}
}

func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	for name, private := range map[string]bool{"records": true, "table": false} {
		path := filepath.Join(dir, name)
		old := syscall.Umask(0)
		err := write(path, "note:", Options{Private: private})
		syscall.Umask(old)
		info, _ := os.Stat(path)
		if err != nil || (info.Mode().Perm() == 0o600) != private || !private && info.Mode().Perm() != 0o666 {
			t.Errorf("%s: mode %v (%v)", name, info.Mode(), err)
		}
	}
	protected := filepath.Join(dir, "protected")
	put(t, protected, "note: old")
	if err := os.Chmod(protected, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := write(protected, "note: new", Options{}); err == nil || !strings.Contains(err.Error(), "write-protected") {
		t.Errorf("a write-protected file: %v", err)
	}
	if os.Geteuid() == 0 {
		return // may write everywhere
	}
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	err := write(filepath.Join(closed, "x"), "note:", Options{})
	if err == nil || !strings.Contains(err.Error(), "you may not write into the folder "+closed) || strings.Contains(err.Error(), ".moiety-") {
		t.Errorf("a closed folder: %v", err)
	}
}

// Where a file that is put aside has no room, its folder is named, not that of the file
// that was to be written.
func TestNoRoomElsewhere(t *testing.T) {
	const full = "/dev/full"
	f, err := os.OpenFile(full, os.O_RDWR, 0)
	if err != nil {
		t.Skip("/dev/full is a device of Linux")
	}
	s, err := unfinished.NewScratch(t.TempDir(), "moiety-*")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(full)
	if err := s.File.Close(); err != nil {
		t.Fatal(err)
	}
	s.File = f
	defer f.Close()
	for name, write := range map[string]func() error{
		"Write":       func() error { _, err := s.Write([]byte("x")); return err },
		"WriteString": func() error { _, err := s.WriteString("x"); return err },
		"ReadFrom":    func() error { _, err := s.ReadFrom(io.LimitReader(strings.NewReader("x"), 1)); return err },
	} {
		err := write()
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%s: %v", name, err)
		}
		for _, err := range []error{err, Explain(filepath.Join(dir, "places.csv"), err)} {
			if text := err.Error(); !strings.Contains(text, "where data are put aside, is full: make room there") || strings.Contains(text, "folder "+dir) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}
