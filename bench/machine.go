package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/moiety-go/moiety/internal/pages"
)

// Loop is a plain loop on some cores of this machine, done in a process of its own.
type Loop struct {
	Name    string    `json:"name"`
	Threads int       `json:"threads"`
	First   int       `json:"first"` // number of its first thread among those of all processes
	At      time.Time `json:"at"`    // when it begins
	File    string    `json:"file"`
	Size    int64     `json:"size"` // of the file
}

// loopBytes is what every thread of a loop goes through.
const loopBytes = 256 << 20

// plain is a kind of loop: make makes what a thread needs, and returns what is timed.
type plain struct {
	name string
	make func(l Loop, thread int) (func(), error)
}

var loops = []plain{
	{"numbers in a register", func(Loop, int) (func(), error) {
		return func() {
			x := uint64(1)
			for range 100_000_000 {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			keep(x)
		}, nil
	}},
	// The first loop waits for its last number, so that two of them on one core hardly disturb each
	// other; this one, and the widest, use all that a core has.
	{"several numbers at a time", func(Loop, int) (func(), error) {
		return func() {
			a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
			for range 50_000_000 {
				a, b, c, d = a^a<<13, b^b<<13, c^c<<13, d^d<<13
				a, b, c, d = a^a>>7, b^b>>7, c^c>>7, d^d>>7
				a, b, c, d = a^a<<17, b^b<<17, c^c<<17, d^d<<17
			}
			keep(a + b + c + d)
		}, nil
	}},
	{"adding up", func(Loop, int) (func(), error) {
		list := filled()
		return func() {
			var sum uint64
			for _, v := range list {
				sum += v
			}
			keep(sum)
		}, nil
	}},
	{"writing", func(Loop, int) (func(), error) {
		list := filled()
		return func() {
			for i := range list {
				list[i] = 7
			}
		}, nil
	}},
	{"fresh memory", func(Loop, int) (func(), error) { return touching(make([]byte, loopBytes)), nil }},
	{"fresh memory, large pages", func(Loop, int) (func(), error) { return touching(pages.Make[byte](loopBytes)), nil }},
	{"reading a file", func(l Loop, thread int) (func(), error) { return reading(l, thread, make([]byte, piece)) }},
	{"reading a file into fresh memory", func(l Loop, thread int) (func(), error) {
		return reading(l, thread, pages.Make[byte](loopBytes))
	}},
}

// widest are the loops of the widest units, which not every processor has.
var widest = []plain{
	{"products and sums", func(Loop, int) (func(), error) {
		return func() { peak(2000 * peakRounds) }, nil
	}},
	{"reading what is in the cache", func(Loop, int) (func(), error) {
		set := make([]uint64, cacheBytes/8)
		return func() { sweep(unsafe.Pointer(&set[0]), cacheBytes, 1_000_000) }, nil
	}},
}

func allLoops() []plain {
	if canMeasureRoof() {
		return slices.Concat(loops, widest)
	}
	return loops
}

const (
	cacheBytes = 16 << 10 // in the nearest cache of a core
	piece      = 1 << 20  // what is read at a time
	filePart   = 64 << 20 // what the file has for every thread
)

func filled() []uint64 {
	list := make([]uint64, loopBytes/8)
	for i := range list {
		list[i] = uint64(i)
	}
	return list
}

func touching(list []byte) func() { return func() { pages.Touch(list) } }

// reading reads the thread's part of a file into memory, from its begin again where it ends.
func reading(l Loop, thread int, memory []byte) (func(), error) {
	f, err := os.Open(l.File)
	if err != nil {
		return nil, err
	}
	from := int64(thread) * filePart
	return func() {
		for n := 0; n < loopBytes; n += piece {
			if _, err := f.ReadAt(memory[n%len(memory):][:piece], (from+int64(n))%l.Size); err != nil {
				panic(err) // of a file that was just written
			}
		}
	}, nil
}

var kept sync.Map // what loops came to, so that they are not left out

func keep(x uint64) { kept.Store(x, true) }

// run does the loop and prints the mean of the seconds of its threads.
func (l Loop) run() error {
	all := allLoops()
	at := slices.IndexFunc(all, func(p plain) bool { return p.name == l.Name })
	if at < 0 {
		return fmt.Errorf("unknown loop %q", l.Name)
	}
	runtime.GOMAXPROCS(l.Threads)
	var threads []func()
	for i := range l.Threads {
		f, err := all[at].make(l, l.First+i)
		if err != nil {
			return err
		}
		threads = append(threads, f)
	}
	time.Sleep(time.Until(l.At))
	times := make([]time.Duration, len(threads))
	var group sync.WaitGroup
	for i, f := range threads {
		group.Go(func() {
			from := time.Now()
			f()
			times[i] = time.Since(from)
		})
	}
	group.Wait()
	var sum time.Duration
	for _, t := range times {
		sum += t
	}
	return json.NewEncoder(os.Stdout).Encode(sum.Seconds() / float64(len(times)))
}

// loop starts processes with threads each, all at a time, and returns their mean seconds.
func (b *bench) loop(ctx context.Context, name string, processes, threads int) (float64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	seconds, errs := make([]float64, processes), make([]error, processes)
	at := time.Now().Add(time.Second) // lists are filled until then
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			text, err := json.Marshal(Loop{name, threads, i * threads, at, b.path("loop"), int64(runtime.NumCPU()) * filePart})
			if err != nil {
				errs[i] = err
				return
			}
			out, err := exec.CommandContext(ctx, self, "-loop", string(text)).Output()
			if errs[i] = err; err == nil {
				errs[i] = json.Unmarshal(out, &seconds[i])
			}
		})
	}
	group.Wait()
	var sum float64
	for i, s := range seconds {
		if errs[i] != nil {
			return 0, errs[i]
		}
		sum += s
	}
	return sum / float64(processes), nil
}

// runMachine tells what as many cores as there are do of what one does: a program that never
// waits gains as much, and no more.
func runMachine(ctx context.Context, b *bench) error {
	n := runtime.NumCPU()
	file, err := os.Create(b.path("loop"))
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	part := make([]byte, filePart)
	for range n {
		if _, err := file.Write(part); err != nil {
			return err
		}
	}
	fmt.Printf("\nPlain loops over %d MB, seconds of each\n\n| | one | %d threads of one process | %d processes | threads are worth | processes |\n|---|---|---|---|---|---|\n", loopBytes>>20, n, n)
	for _, l := range allLoops() {
		var s [3]float64
		for i, shape := range [][2]int{{1, 1}, {1, n}, {n, 1}} {
			var all []float64
			for range 3 {
				t, err := b.loop(ctx, l.name, shape[0], shape[1])
				if err != nil {
					return err
				}
				all = append(all, t)
			}
			slices.Sort(all)
			s[i] = all[1]
		}
		fmt.Printf("| %s | %s | %s | %s | %s | %s |\n", l.name, seconds(s[0]), seconds(s[1]), seconds(s[2]), times(float64(n)*s[0]/s[1]), times(float64(n)*s[0]/s[2]))
	}
	return nil
}
