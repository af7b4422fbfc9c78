package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
)

// manyCores lets a command work as on a large machine: what it takes must follow from its
// limit, not from the number of cores.
const manyCores = "GOMAXPROCS=16"

// The limit holds: a file five times larger is fitted with a peak that stays
// near the limit. The slack is the program itself, stacks and what the
// collector has not yet found.
func TestMaxMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: writes and fits a file of 120 MB")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a process is measured on Linux only")
	}
	const (
		limit = 24_000_000
		slack = 40_000_000
		size  = 5 * limit
	)
	dir := t.TempDir()
	data := filepath.Join(dir, "big.csv")
	writeBig(t, data, size)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	status := filepath.Join(dir, "status")
	c.Env = append(os.Environ(), manyCores, childStatus+"="+status, childArgs+"=fit|"+data+"|-k|4|--max-memory|"+strconv.Itoa(limit)+"|-q|-o|"+filepath.Join(dir, "r"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if peak := peakOf(t, status); peak > limit+slack {
		t.Errorf("peak of %d MB for a limit of %d MB and a file of %d MB", peak/1e6, limit/1_000_000, size/1_000_000)
	} else {
		t.Logf("peak of %d MB for a limit of %d MB and a file of %d MB", peak/1e6, limit/1_000_000, size/1_000_000)
	}
	testMemoryOfVerbs(t, dir, data, filepath.Join(dir, "r"))
}

// Every command keeps to a limit: the peak stays within a quarter above it and
// what the program itself takes.
func testMemoryOfVerbs(t *testing.T, dir, data, r string) {
	const limit, own = 24_000_000, 60_000_000
	more := filepath.Join(dir, "more.csv")
	writeBig(t, more, 1<<20)
	for _, args := range [][]string{
		{"show", r},
		{"report", r, "-o", filepath.Join(dir, "r.html")},
		{"export", r, "--to", "csv", "-o", filepath.Join(dir, "tables")},
		{"export", r, "--to", "svg", "-o", filepath.Join(dir, "pictures")},
		{"export", r, "--to", "npz", "--theta", "-o", filepath.Join(dir, "r.npz")},
		{"compare", r, r},
		{"eval", r},
		{"sample", r, "-n", "300000", "-o", filepath.Join(dir, "s.csv")},
		{"assign", r, data, "-o", filepath.Join(dir, "a.csv")},
		{"convert", data, "--to", "mtx", "-o", filepath.Join(dir, "x.mtx")},
		{"inspect", data},
		{"choose", data, "--max", "2"},
		{"update", r, more, "-o", filepath.Join(dir, "newer")},
	} {
		status := filepath.Join(dir, "status-"+args[0])
		c := child(t, append(args, "--max-memory", strconv.Itoa(limit), "-q")...)
		c.Env = append(c.Env, manyCores, childStatus+"="+status)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.500s", args[0], err, out)
			continue
		}
		peak := peakOf(t, status)
		t.Logf("%s: peak of %d MB for a limit of %d MB", strings.Join(args[:1], " "), peak/1e6, limit/1_000_000)
		if peak > limit+limit/4+own {
			t.Errorf("%s: peak of %d MB for a limit of %d MB", args[0], peak/1e6, limit/1_000_000)
		}
	}
}

// peakOf reads the largest resident memory out of a process's status.
func peakOf(t *testing.T, path string) int64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var kB int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kB); n == 1 {
			return kB * 1024
		}
	}
	t.Fatal("the system does not tell the peak of a process")
	return 0
}

// writeBig writes a long table of about size bytes: four kinds of records.
func writeBig(t *testing.T, path string, size int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	r := stream.New(1, "cmd/memory_test")
	fmt.Fprintln(w, "id,code")
	for n, id := 8, 0; n < size; id++ {
		kind := r.IntN(4)
		for range 8 {
			k, err := fmt.Fprintf(w, "patient%09d,c%03d\n", id, min(299, 4*int(r.ExpFloat64()*12)+kind))
			if err != nil {
				t.Fatal(err)
			}
			n += k
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
