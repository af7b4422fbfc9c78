package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety"
)

// doorTables are small data of several kinds, as CSV.
func doorTables() map[string]string {
	r := rand.New(rand.NewPCG(1, 2))
	table := func(columns int, cell func(kind int) string) string {
		var b strings.Builder
		for j := range columns {
			fmt.Fprintf(&b, "%sf%d", []string{"", ","}[min(j, 1)], j)
		}
		for i := range 240 {
			b.WriteByte('\n')
			for j := range columns {
				fmt.Fprintf(&b, "%s%s", []string{"", ","}[min(j, 1)], cell((i+j)%3))
			}
		}
		return b.String() + "\n"
	}
	return map[string]string{
		"binary":   table(9, func(k int) string { return fmt.Sprint(b2i(r.Float64() < []float64{.9, .5, .1}[k])) }),
		"answers":  table(6, func(k int) string { return []string{"no", "yes", "perhaps"}[(k+b2i(r.Float64() < .2))%3] }),
		"blanks":   table(8, func(k int) string { return []string{"0", "1", ""}[(k+b2i(r.Float64() < .3))%3] }),
		"measured": table(5, func(k int) string { return fmt.Sprintf("%.3f", 4*float64(k)+r.NormFloat64()) }),
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestDoorAndCommandLine: the library and the command line write the same bytes,
// but for the times, and the report and the places are the same.
func TestDoorAndCommandLine(t *testing.T) {
	ctx := context.Background()
	for name, text := range doorTables() {
		for size, flags := range map[string][]string{"as many as they show": nil, "three": {"-k", "3"}} {
			if testing.Short() && flags == nil && name != "binary" {
				continue
			}
			t.Run(name+", "+size, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "data.csv")
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				said, here := filepath.Join(dir, "said"), filepath.Join(dir, "here")
				args := append([]string{"fit", path, "-q", "-o", said}, flags...)
				if out, err := exec.Command("moiety", args...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				o := moiety.Options{}
				if flags != nil {
					o.Groups = 3
				}
				found, err := moiety.Fit(ctx, moiety.Files(path), o)
				if err != nil {
					t.Fatal(err)
				}
				defer found.Close()
				if err := found.Save(here); err != nil {
					t.Fatal(err)
				}
				if err := sameFolder(said, here); err != nil {
					t.Error(err)
				}
				if flags != nil {
					sameTable(t, ctx, found, text, o)
				}
			})
		}
	}
}

// sameTable: a table in memory gives what its file gives.
func sameTable(t *testing.T, ctx context.Context, found *moiety.Result, text string, o moiety.Options) {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), ","))
	}
	again, err := moiety.Fit(ctx, moiety.Table(rows[0], rows[1:]), o)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	a, err := found.Assigned(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := again.Assigned(ctx)
	if err != nil {
		t.Fatal(err)
	}
	c, err := found.Assign(ctx, moiety.Table(rows[0], rows[1:]))
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []*moiety.Assignment{b, c} {
		if fmt.Sprint(a.Group) != fmt.Sprint(other.Group) || fmt.Sprint(a.Shares) != fmt.Sprint(other.Shares) {
			t.Error("the file, the table and the table placed anew differ")
		}
	}
}
