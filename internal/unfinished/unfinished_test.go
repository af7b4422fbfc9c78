package unfinished_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/moiety-go/moiety/internal/unfinished"
)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// What is listed is removed, what has its name stays, and nothing gets a name
// afterwards.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	var list unfinished.List
	ctx := unfinished.With(t.Context(), &list)
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"folder", "dropped"} {
		if err := os.MkdirAll(path(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path(name), "x"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path("file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := unfinished.Add(ctx, path("folder"))
	unfinished.Add(ctx, path("dropped")).Drop()
	if err := unfinished.Add(ctx, path("file")).Commit(func() error { return os.Rename(path("file"), path("final")) }); err != nil {
		t.Fatal(err)
	}
	list.Remove()
	if exists(path("folder")) || !exists(path("dropped")) || !exists(path("final")) {
		t.Error("the wrong things were removed")
	}
	err := folder.Commit(func() error { t.Error("renamed after the end"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a commit after the end: %v", err)
	}
}

// Without a list everything works as before.
func TestNoList(t *testing.T) {
	called := false
	item := unfinished.Add(context.Background(), "nowhere")
	if err := item.Commit(func() error { called = true; return nil }); err != nil || !called {
		t.Errorf("called %v, %v", called, err)
	}
	item.Drop()
}

// A scratch file can be written and read, and leaves nothing.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	f, err := unfinished.NewScratch(dir, "x-*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	if list, _ := os.ReadDir(dir); runtime.GOOS != "windows" && len(list) != 0 {
		t.Errorf("the file has a name: %v", list)
	}
	b := make([]byte, 4)
	if _, err := f.ReadAt(b, 0); err != nil || string(b) != "text" {
		t.Errorf("read %q, %v", b, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("left behind: %v", list)
	}
}
