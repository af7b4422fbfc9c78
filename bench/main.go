// Command bench runs whole fits beside other tools, on the same data in the
// same run, and prints time, memory and quality together.
//
//	go run -C bench .                      lda topics patients tree em reading roof workers tiers
//	go run -C bench . lda tree             those stages only
//	go run -C bench . -peers=false lda     moiety alone
//	go run -C bench . -large workers       whole commands on 4 million patients, with 1, 2, 4 … workers
//	go run -C bench . -large -crowd workers  beside them, what the machine gives to commands of one worker
//	go run -C bench . machine              plain loops: what all cores do of what one does
//	go run -C bench . kernels              every kernel, tier over tier
//	go run -C bench . scale                1 and 10 million patients
//	go run -C bench . -large scale         also 100 million, and a corpus of PubMed's size
//
// Every method runs in a process of its own, quick ones up to five times for
// their median, and reports its wall and CPU
// seconds (all threads) between having the data and having the answer, and its
// peak memory. The other tools are installed into a virtual environment of
// their own, by the versions in peers/requirements.txt; where that fails they are
// skipped by name. Data are drawn by package synth.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"github.com/moiety-go/moiety/internal/kernel"
)

// bench is one run of the command.
type bench struct {
	dir    string        // data and results
	peers  *peers        // nil: moiety alone
	limit  time.Duration // for one method
	large  bool
	crowd  bool
	full   bool
	charts string // folder for charts, or ""
	// profiles is the folder for profiles of moiety's methods, or "".
	profiles string
	// program is the command whose whole runs are measured; "" builds it.
	program string
}

// stages in the order in which they run.
var stages = []struct {
	name  string
	extra bool // not among those that run when none is named
	run   func(context.Context, *bench) error
}{
	{"lda", false, runLDA},
	{"topics", false, runTopics},
	{"patients", false, runPatients},
	{"tree", false, runTree},
	{"em", false, runEM},
	{"reading", false, runReading},
	{"roof", false, runRoof},
	{"workers", false, runWorkers},
	{"tiers", false, runTiers},
	{"kernels", true, runKernels},
	{"scale", true, runScale},
	{"machine", true, runMachine},
}

func main() {
	if err := command(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func command() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := &bench{}
	job := flag.String("job", "", "a single job, as JSON; the command starts itself with it")
	loop := flag.String("loop", "", "a single loop of stage machine, as JSON; the command starts itself with it")
	withPeers := flag.Bool("peers", true, "run the other tools too")
	flag.StringVar(&b.dir, "dir", "", "folder for data; the default is a temporary one")
	venv := flag.String("venv", "", "virtual environment of the other tools; the default is in the user's cache")
	flag.DurationVar(&b.limit, "limit", 10*time.Minute, "time for one method")
	flag.BoolVar(&b.crowd, "crowd", false, "workers: also as many commands of one worker at a time as there are cores, which tell what the machine can give")
	flag.BoolVar(&b.large, "large", false, "scale: also 100 million patients and 8 million documents; workers: 4 million patients and 200,000 documents")
	flag.StringVar(&b.charts, "charts", "", "folder for charts; none are drawn without it")
	flag.StringVar(&b.program, "program", "", "workers: the program to measure; kernels: the benchmarks of internal/kernel; the default is built here")
	flag.StringVar(&b.profiles, "profiles", "", "folder for CPU profiles of moiety's methods, which are then run up to 200 times; go tool pprof -top FOLDER/*.pprof")
	flag.BoolVar(&b.full, "full", false, "also slow methods of the other tools")
	flag.Parse()
	if *job != "" {
		return work(ctx, *job)
	}
	if *loop != "" {
		var l Loop
		if err := json.Unmarshal([]byte(*loop), &l); err != nil {
			return err
		}
		return l.run()
	}
	if b.dir == "" {
		dir, err := os.MkdirTemp("", "moiety-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b.dir = dir
	} else if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	if *withPeers {
		b.peers = newPeers(ctx, *venv)
	}
	fmt.Printf("%s, %d cores, kernels %s, %s\n", cpuName(), runtime.NumCPU(), kernel.Tier(), time.Now().Format("2006-01-02"))
	return b.stages(ctx, flag.Args())
}

// stages runs the named stages, or the usual ones.
func (b *bench) stages(ctx context.Context, names []string) error {
	known := map[string]bool{}
	for _, s := range stages {
		known[s.name] = true
	}
	chosen := map[string]bool{}
	for _, n := range names {
		if !known[n] {
			return fmt.Errorf("unknown stage %q", n)
		}
		chosen[n] = true
	}
	for _, s := range stages {
		if chosen[s.name] || (len(names) == 0 && !s.extra) {
			if err := s.run(ctx, b); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

// path returns the name of a file in the folder of the run.
func (b *bench) path(elem ...string) string {
	return filepath.Join(append([]string{b.dir}, elem...)...)
}
