package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read"
)

// machine are the flags about this computer. They change no result but the tree
// of records that do not fit into memory, which grows on a part of them, and
// measures of repeated fits, which are made on such a part.
type machine struct {
	workers   int
	maxMemory string
	limit     int64 // in bytes; 0: none. begin sets it.
}

func (m *machine) add(c *cobra.Command) {
	section(c, "Flags")
	c.Flags().IntVar(&m.workers, "workers", 0, "cores to use; 0: all. The result does not depend on it")
	c.Flags().StringVar(&m.maxMemory, "max-memory", "", "memory for the records, such as 2GB; larger data are streamed from disk, and a tree grows on the part that fits")
	section(c, "This computer")
}

// addMemory defines the limit of memory alone, for verbs about a run: its
// records are read block by block.
func (m *machine) addMemory(c *cobra.Command) {
	section(c, "Flags")
	c.Flags().StringVar(&m.maxMemory, "max-memory", "", "memory that may be used, such as 500MB; the records of the run are read from disk, block by block")
	section(c, "This computer")
}

// leastMemory is the smallest limit that is taken: the program itself needs
// some.
const leastMemory = 16 << 20

// coreMemory is what a core takes for itself, in stacks, pieces of files and what the collector
// has not found: 3 to 6 MB of inspect and fit with 16 cores. Cores that the limit has no room
// for are not used.
const coreMemory = 6 << 20

// begin checks the flags and tells the collector of the limit.
func (m *machine) begin(a *app) error {
	if m.workers < 0 {
		return misuse("--workers %d: write 0 for all cores, or a number of them", m.workers)
	}
	if most := par.Most(); m.workers > most {
		a.say("--workers %d: %d are started; on this computer more would only take memory", m.workers, most)
		m.workers = most
	}
	if m.maxMemory != "" {
		if err := m.bound(); err != nil {
			return err
		}
	}
	a.useCores(m.workers)
	return nil
}

// bound keeps to the limit of memory.
func (m *machine) bound() error {
	limit, err := parseBytes(m.maxMemory)
	if err != nil {
		return misuse("--max-memory: %w", err)
	}
	if limit < leastMemory {
		return misuse("--max-memory %s: the program itself needs more; write at least %s", m.maxMemory, byteSize(leastMemory))
	}
	m.limit, m.workers = limit, int(min(int64(par.Workers(m.workers)), limit/coreMemory))
	debug.SetMemoryLimit(limit)
	return nil
}

// useCores keeps the whole program to so many cores, 0: all. The collector takes a quarter of
// those that it is given, and who asks for one core of a shared computer has no more of it.
func (a *app) useCores(n int) {
	if all := runtime.GOMAXPROCS(0); n > 0 && n < all {
		runtime.GOMAXPROCS(n)
		a.cores = all
	}
}

// freeCores takes all cores again.
func (a *app) freeCores() {
	if a.cores > 0 {
		runtime.GOMAXPROCS(a.cores)
	}
}

// share is what one stage may keep: a third each for grouping while reading and
// for what waits while encoding; the rest is for sums. 0 means no limit.
func (m *machine) share() int64 { return m.limit / 3 }

// apply hands the limits on to reading and encoding.
func (m *machine) apply(a *app, r *read.Options, e *encode.Settings) error {
	if err := m.begin(a); err != nil {
		return err
	}
	r.Workers, e.Workers = m.workers, m.workers
	r.MaxMemory, e.MaxMemory = m.share(), m.share()
	return nil
}
