package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/durable/durabletest"
	"github.com/moiety-go/moiety/internal/numtest"
)

// Edits that many make at once are all kept.
func TestEditsTogether(t *testing.T) {
	t.Parallel()
	path := made(t).Path
	people := numtest.Scale(30, 100, 100)
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			r, err := Open(path)
			if err == nil {
				err = r.AddEdit(Edit{Kind: Note, Group: "1", Text: "note " + strconv.Itoa(i)})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, x := range r.Edits.List() {
		seen[x.Text] = true
	}
	if len(seen) != people || len(r.Edits.All) != people {
		t.Errorf("%d of %d edits kept", len(seen), people)
	}
	if left := entries(t, path); len(left) != 6 {
		t.Errorf("left %v", left)
	}
	t.Logf("count: %d parallel edits of one run, all kept", people)
}

// Of many who make one run, one does, and the others are told at once.
func TestFitsTogether(t *testing.T) {
	data, dir := hospital(t, 200), t.TempDir()
	const people = 100
	var won, busy atomic.Int32
	var all sync.WaitGroup
	for range people {
		all.Go(func() {
			switch _, err := Make(t.Context(), order(data, filepath.Join(dir, "r"))); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, ErrBusy), errors.Is(err, ErrExists):
				busy.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if left := entries(t, dir); won.Load() != 1 || busy.Load() != people-1 || len(left) != 1 {
		t.Errorf("%d won, %d were told, left %v", won.Load(), busy.Load(), left)
	}
	t.Logf("count: %d parallel fits into one name, 1 made, %d refused", people, busy.Load())
}

// A folder that appears while a run is made stays as it is, also an empty one
// and also with force.
func TestTargetAppears(t *testing.T) {
	w := done(t, 2)
	for _, force := range []bool{false, true} {
		for name, appear := range map[string]func(path string) error{
			"an empty folder": func(path string) error { return os.Mkdir(path, 0o755) },
			"a file":          func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) },
			"a folder": func(path string) error {
				return errors.Join(os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(path, "mine"), []byte("mine"), 0o600))
			},
			"a run": func(path string) error { return os.CopyFS(path, os.DirFS(filepath.Join("testdata", "v1"))) },
		} {
			dir := t.TempDir()
			path := filepath.Join(dir, "r")
			st, err := newStage(t.Context(), durable.OS{}, path, force)
			if err != nil {
				t.Fatal(err)
			}
			if err := appear(path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Stat(path)
			_, err = st.write(t.Context(), &Made{Made: w.made, order: w.order})
			st.abandon()
			after, _ := os.Stat(path)
			if !errors.Is(err, ErrExists) || !os.SameFile(before, after) || len(entries(t, dir)) != 1 {
				t.Errorf("%s, force %v: %v, left %v", name, force, err, entries(t, dir))
			}
		}
	}
}

// With force, only a run is replaced, looked at in the moment of replacing.
func TestTargetChanges(t *testing.T) {
	w := done(t, 2)
	for name, files := range map[string]durable.FS{"exchange": durable.OS{}, "steps": noExchange{durable.OS{}}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "r")
		if err := w.write(t, files, path, false); err != nil {
			t.Fatal(err)
		}
		st, err := newStage(t.Context(), files, path, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.RemoveAll(path), os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(path, "mine"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		_, err = st.write(t.Context(), &Made{Made: w.made, order: w.order})
		st.abandon()
		if left := entries(t, path); !errors.Is(err, ErrExists) || len(left) != 1 || left[0] != "mine" || len(entries(t, dir)) != 1 {
			t.Errorf("%s: %v, left %v", name, err, left)
		}
	}
}

// Who reads while a run is replaced gets the old one, the new one, or the truth.
func TestReadWhileReplaced(t *testing.T) {
	for name, files := range map[string]durable.FS{"exchanged": durable.OS{}, "replaced by steps": noExchange{durable.OS{}}} {
		path := filepath.Join(t.TempDir(), "r")
		works := []*work{done(t, 2), done(t, 3)}
		if err := works[0].write(t, files, path, false); err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		var reads, heard atomic.Int32
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					err := readWhole(path)
					reads.Add(1)
					if errors.Is(err, ErrReplaced) {
						heard.Add(1)
					} else if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		times := numtest.Scale(3, 60, 400)
		for i := range times {
			if err := works[(i+1)%2].write(t, files, path, true); err != nil {
				t.Error(err)
			}
		}
		close(stop)
		all.Wait()
		t.Logf("count: %d reads of a run that was %s %d times, none called damaged, %d told the truth", reads.Load(), name, times, heard.Load())
	}
}

func readWhole(path string) error {
	r, err := Open(path)
	if err != nil {
		return err
	}
	f, err := r.Rows()
	if err != nil {
		return err
	}
	defer f.Close()
	if len(r.Outcome.Group) != f.Len() {
		return fmt.Errorf("%d places of %d rows", len(r.Outcome.Group), f.Len())
	}
	return nil
}

// Edits of a run that was replaced meanwhile are refused, and the new run stays
// whole.
func TestEditAfterReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	if err := done(t, 2).write(t, durable.OS{}, path, false); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := done(t, 3).write(t, durable.OS{}, path, true); err != nil {
		t.Fatal(err)
	}
	if err := r.AddEdit(Edit{Kind: Note, Group: "1", Text: "x"}); !errors.Is(err, ErrReplaced) {
		t.Errorf("%v", err)
	}
	if now, err := Open(path); err != nil || len(now.Edits.All) != 0 {
		t.Errorf("%v", err)
	}
}

// What a killed fit and a killed edit left is removed by the next command and
// said; what is in use stays.
func TestLeftovers(t *testing.T) {
	w := done(t, 2)
	dir := t.TempDir()
	path := filepath.Join(dir, "r")
	if err := w.write(t, durable.OS{}, path, false); err != nil {
		t.Fatal(err)
	}
	dead := durabletest.New(t, durabletest.Kill, 20)
	if err := w.write(t, dead, path, true); !errors.Is(err, durabletest.ErrKilled) {
		t.Fatal(err)
	}
	if left := entries(t, dir); len(left) != 2 {
		t.Fatalf("the kill left %v", left)
	}
	r, err := Open(path)
	if err != nil || len(r.Messages) != 1 || !strings.HasPrefix(r.Messages[0], "Removed 1 unfinished folder") {
		t.Errorf("%v, told %q", err, r.Messages)
	}
	if left := entries(t, dir); len(left) != 1 {
		t.Errorf("left %v", left)
	}
	alive, err := newStage(t.Context(), durable.OS{}, path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.abandon()
	if r, err = Open(path); err != nil || len(r.Messages) != 0 || len(entries(t, dir)) != 2 {
		t.Errorf("work in progress: %v, told %q, left %v", err, r.Messages, entries(t, dir))
	}
	if _, err := newStage(t.Context(), durable.OS{}, path, true); !errors.Is(err, ErrBusy) {
		t.Errorf("begun twice: %v", err)
	}
}

// A fit removes what killed work of other names left in the same folder, folders and
// files, and leaves alone what goes on there and earlier runs that stepped aside.
func TestLeftoversBeside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are finished cannot be told from those that were left here")
	}
	w := done(t, 2)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	dead := durabletest.New(t, durabletest.Kill, 20)
	if err := w.write(t, dead, path("gone"), false); !errors.Is(err, durabletest.ErrKilled) {
		t.Fatal(err)
	}
	alive, err := newStage(t.Context(), durable.OS{}, path("going"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.abandon()
	if len(alive.messages) != 1 || !strings.HasPrefix(alive.messages[0], "Removed 1 unfinished folder with records") {
		t.Errorf("told %q", alive.messages)
	}
	file := path(".report.html.moiety-1-0")
	if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := newStage(t.Context(), durable.OS{}, path("next"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer next.abandon()
	if left := entries(t, dir); len(next.messages) != 1 || !strings.HasPrefix(next.messages[0], "Removed 1 unfinished file ") || len(left) != 2 { // two stages
		t.Errorf("told %q, left %v", next.messages, left)
	}
}

// Whenever a fit was killed, what it left is gone after a folder of runs is tidied, or is a
// whole run: also where it was killed between the end of the folder's own lock and its renaming.
func TestTidyAfterEveryMoment(t *testing.T) {
	w := done(t, 2)
	count := durabletest.New(t, durabletest.Never, 0)
	if err := w.write(t, count, filepath.Join(t.TempDir(), "whole"), false); err != nil {
		t.Fatal(err)
	}
	dir, removed := t.TempDir(), 0
	for at := range count.Count() {
		path := filepath.Join(dir, fmt.Sprint("run", at))
		if err := w.write(t, durabletest.New(t, durabletest.Kill, at), path, false); err != nil && !errors.Is(err, durabletest.ErrKilled) {
			t.Fatal(err)
		}
		removed += Tidy(dir)
		for _, name := range entries(t, dir) {
			if strings.HasPrefix(name, ".") {
				t.Errorf("killed at operation %d of %d, %s stayed behind", at, count.Count(), name)
			} else if _, err := Open(filepath.Join(dir, name)); err != nil {
				t.Errorf("killed at operation %d of %d: %v", at, count.Count(), err)
			}
			os.RemoveAll(filepath.Join(dir, name))
		}
	}
	t.Logf("killed at each of %d operations, tidied %d times", count.Count(), removed)
}

// Work begins while others look whether it was left behind: they hold its lock for a moment.
func TestLookedAtWhileBegun(t *testing.T) {
	dir := t.TempDir()
	stop := make(chan struct{})
	var looking sync.WaitGroup
	for range 4 {
		looking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					removeBeside(durable.OS{}, filepath.Join(dir, "another"))
				}
			}
		})
	}
	for i := range 300 {
		st, err := newStage(t.Context(), durable.OS{}, filepath.Join(dir, strconv.Itoa(i)), false)
		if err != nil {
			t.Errorf("run %d: %v", i, err)
			break
		}
		st.abandon()
	}
	close(stop)
	looking.Wait()
}
