//go:build linux

package beam_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/model"
)

// TestFullDisk: a disk of work that fills up in whatever round ends a fit by Beam with a
// word that says so, and one that is just large enough gives the bytes of one machine.
func TestFullDisk(t *testing.T) {
	data := records(t, 9_000)
	flat := fit.Settings{K: 3, Spec: model.Spec{Model: "bernoulli"}, Refine: "none"}
	here := made(t, order(t, data, flat, ""))
	want, err := os.ReadFile(filepath.Join(here, "model.moiety"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := os.Stat(filepath.Join(here, "rows.moiety"))
	if err != nil {
		t.Fatal(err)
	}
	pages := rows.Size()/4096 + 1
	full := 0
	// Room for some of the rows, for them and the first question, for that and one sum, and for all.
	for _, more := range []int64{-3, 2, 4, 20} {
		work := t.TempDir()
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dk", 4*(pages+more)), "tmpfs", work).CombinedOutput(); err != nil {
			t.Skipf("no small disk can be made here: %s", out)
		}
		t.Cleanup(func() { _ = syscall.Unmount(work, 0) })
		o := order(t, data, flat, "none")
		o.Spread.Work = work
		r, err := run.Make(t.Context(), o)
		if err != nil {
			full++
			if !strings.Contains(err.Error(), "no space left") {
				t.Errorf("%d pages beside the rows: %v", more, err)
			}
			t.Logf("%d pages beside the rows: %v", more, err)
			continue
		}
		if got, err := os.ReadFile(filepath.Join(r.Path, "model.moiety")); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d pages beside the rows: other bytes (%v)", more, err)
		}
	}
	if full != 3 {
		t.Errorf("%d of 4 disks were full, want 3", full)
	}
}
