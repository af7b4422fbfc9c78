//go:build linux

package spread

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/pass"
)

// A disk that is full, at the side that leads or at one that follows, ends the fit with
// a word that says so, and leaves no half of a file.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %s", out)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	f := Folder(dir)
	file := stored(t, Folder(t.TempDir()))
	for _, size := range []int{1500, 6000} { // lanes of 12 and 48 kB
		r, s := pass.Round{Number: 1, Name: "thirds"}, thirds{size}
		l := &Leader{Folder: f, Blocks: file.Blocks(), Do: func(ctx context.Context, _ int, pieces []int) error {
			return followed(ctx, f, file, r, s, pieces)
		}}
		_, err := l.Sum(t.Context(), r, s)
		if err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), "‹work›") {
			t.Errorf("%d numbers: %v", size, err)
		}
	}
	left, err := exec.Command("sh", "-c", "ls "+dir+" | grep part- || true").Output()
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %s %v", left, err)
	}
}

// followed is follow as a process does it: an error is left for who leads.
func followed(ctx context.Context, f Folder, file *dataset.File, r pass.Round, s pass.Sum, pieces []int) error {
	b := &Follower{Folder: f, Pieces: pieces, Data: file, Workers: 2}
	if err := b.Open(r.Number); err != nil {
		return err
	}
	if _, err := b.Sum(ctx, r, s); !errors.Is(err, ErrReached) {
		return errors.Join(err, b.Fault(err))
	}
	return nil
}
