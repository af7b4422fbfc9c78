package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endless writes a gzip of equal lines.
func endless(t *testing.T, path string, lines int) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintln(z, "id,code")
	const at = 100_000
	piece := []byte(strings.Repeat("p1,428.0\n", at))
	for range lines / at {
		if _, err := z.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Nothing that a file or a flag claims is believed before it is checked: no
// hang, and no more memory than honest data of that size would take.
func TestHostileSizes(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a process is measured on Linux only")
	}
	if testing.Short() {
		t.Skip("-short: starts the program twenty times")
	}
	const most = 600_000_000
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"lying.uci.txt":     "2000000000\n2000000000\n2000000000\n1 1 1\n",
		"docword.lying.txt": "1000000000000\n1000000000000\n1000000000000\n1 1 1\n",
		"small.uci.txt":     "2\n2\n3\n1 1 1\n1 2 1\n2 1 2\n",
		"lying.mtx":         "%%MatrixMarket matrix coordinate integer general\n2000000000 2000000000 2000000000\n1 1 1\n",
		"wide.mtx":          "%%MatrixMarket matrix coordinate integer general\n3 2000000000 3\n1 1 1\n2 7 1\n3 9 1\n",
		"array.mtx":         "%%MatrixMarket matrix array real general\n2000000000 2000000000\n1\n2\n",
		"index.svm":         "1 1:1 4294967295:1\n0 2:1\n1 3:1\n",
		"lying.npy":         "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000, 4000000000), }" + strings.Repeat(" ", 37) + "\n12345678",
		"long.csv":          "id,code\na,428.0\nb," + strings.Repeat("x", 30_000_000) + "\nc,428.0\nd,250.0\n",
		"header.csv":        "id," + strings.Repeat("a_rather_long_name_of_a_column,", 30_000) + "z\nr1," + strings.Repeat("1,", 30_000) + "0\n",
		"quote.csv":         "id,code\na,\"" + strings.Repeat("x\n", 10_000_000),
	} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	endless(t, path("equal.csv.gz"), 60_000_000)
	data := smallTable(t)
	if code, _, said := inProcess(t, nil, "fit", data, "-k", "2", "-o", path("r"), "-q"); code != 0 {
		t.Fatal(said)
	}
	for _, c := range []struct {
		codes []int
		args  []string
	}{
		{[]int{2}, []string{"fit", data, "-k", "2", "-o", path("x"), "--titles", "/dev/zero"}},
		{[]int{2}, []string{"fit", data, "-k", "2", "-o", path("x"), "--stopwords", "/dev/zero"}},
		{[]int{3}, []string{"eval", path("r"), "--topics", "/dev/zero"}},
		{[]int{3}, []string{"eval", "--pred", "/dev/zero", "--truth", "/dev/zero"}},
		{[]int{3}, []string{"inspect", "/dev/zero"}},
		{[]int{3}, []string{"inspect", path("small.uci.txt"), "--format", "uci", "--vocab-file", "/dev/zero"}},
		{[]int{3}, []string{"inspect", path("lying.uci.txt"), "--format", "uci"}},
		{[]int{3}, []string{"inspect", path("docword.lying.txt"), "--format", "uci"}},
		{[]int{3}, []string{"inspect", path("lying.mtx")}},
		{[]int{0, 3, 4}, []string{"inspect", path("wide.mtx")}},
		{[]int{3}, []string{"inspect", path("array.mtx")}},
		{[]int{0, 3, 4}, []string{"inspect", path("index.svm")}},
		{[]int{3}, []string{"inspect", path("lying.npy")}},
		{[]int{3}, []string{"inspect", path("equal.csv.gz"), "--id", "id"}},           // rows of one record without end
		{[]int{4}, []string{"inspect", path("equal.csv.gz"), "--max-memory", "64MB"}}, // 60 million records that are all alike
		{[]int{0}, []string{"inspect", path("long.csv")}},
		{[]int{0, 4}, []string{"inspect", path("header.csv")}},
		{[]int{0, 3, 4}, []string{"inspect", path("quote.csv")}},
		{[]int{0}, []string{"fit", data, "-k", "2", "-o", path("w"), "--workers", "1000000000"}},
		{[]int{0}, []string{"sample", path("r"), "-n", "400000", "-o", path("s.csv")}},
	} {
		t.Run(strings.ReplaceAll(strings.Join(c.args, " "), dir+"/", ""), func(t *testing.T) {
			status := filepath.Join(t.TempDir(), "status")
			p := child(t, append(c.args, "-q")...)
			p.Env = append(p.Env, childStatus+"="+status)
			killer := time.AfterFunc(2*time.Minute, func() { p.Process.Signal(syscall.SIGTERM) })
			begun := time.Now()
			said, _ := p.CombinedOutput()
			killer.Stop()
			if !slices.Contains(c.codes, p.ProcessState.ExitCode()) {
				t.Errorf("exit %d, want %v: %.300s", p.ProcessState.ExitCode(), c.codes, said)
			}
			if peak := peakOf(t, status); peak > most {
				t.Errorf("peak of %d MB", peak/1e6)
			} else {
				t.Logf("exit %d, peak of %d MB, %v: %.200s", p.ProcessState.ExitCode(), peak/1e6, time.Since(begun).Round(time.Millisecond), said)
			}
		})
	}
}
