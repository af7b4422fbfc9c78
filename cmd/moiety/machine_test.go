package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/spf13/cobra"
)

// Who asks for some cores has no more of them, the collector included, as long as the command
// takes.
func TestWorkersAreCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var during int
	looking := func(a *app) *cobra.Command {
		root, m := a.root(), machine{}
		c := &cobra.Command{Use: "look", RunE: func(*cobra.Command, []string) error {
			err := m.begin(a)
			during = runtime.GOMAXPROCS(0)
			return err
		}}
		m.add(c)
		root.AddCommand(c)
		return root
	}
	for workers, want := range map[int]int{0: 4, 1: 1, 3: 3, 4: 4, 16: 4, 4000: 4} {
		if code, _, said := inProcess(t, looking, "look", "--workers", fmt.Sprint(workers)); code != 0 {
			t.Fatal(said)
		}
		if during != want {
			t.Errorf("--workers %d of 4 cores: %d were used, want %d", workers, during, want)
		}
		if after := runtime.GOMAXPROCS(0); after != 4 {
			t.Errorf("--workers %d: %d of 4 cores are left to the next command", workers, after)
		}
	}
}

// Cores that a limit of memory has no room for are not used.
func TestMemoryBoundsCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for _, c := range []struct {
		workers int
		memory  string
		want    int
	}{{0, "24MB", 3}, {16, "16MiB", 2}, {2, "24MB", 2}, {0, "1GB", 16}} {
		m := machine{workers: c.workers, maxMemory: c.memory}
		if err := m.bound(); err != nil {
			t.Fatal(err)
		}
		if m.workers != c.want {
			t.Errorf("%d workers of %s: %d are used, want %d", c.workers, c.memory, m.workers, c.want)
		}
	}
}
