package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/moiety-go/moiety/internal/spectral"
)

// Job is one method on one set of data, done in a process of its own.
type Job struct {
	Method string `json:"method"`
	Data   string `json:"data"` // folder or file of the data
	Out    string `json:"out"`  // folder for what it found
	K      int    `json:"k,omitempty"`
	Refine bool   `json:"refine,omitempty"`
	// Workers is the number of cores to use, 0 for all; Tier names the best
	// kernels to use, "" for the machine's.
	Workers int    `json:"workers,omitempty"`
	Tier    string `json:"tier,omitempty"`
	// Profiles is the folder for profiles of the work, or "".
	Profiles string `json:"profiles,omitempty"`
}

// Report is what the process says at the end, as the last line it prints.
type Report struct {
	Cost
	Note string  `json:"note,omitempty"`
	Work float64 `json:"work,omitempty"` // what Cost is to be divided by: passes, bytes
	Runs int     `json:"-"`              // of which Cost is the median
}

// spawn starts a command with a job and reads its report.
func spawn(ctx context.Context, limit time.Duration, env []string, name string, args ...string) (*Report, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Env = append(os.Environ(), env...)
	var out, errors bytes.Buffer
	c.Stdout, c.Stderr = &out, &errors
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("stopped after %v", limit)
		}
		return nil, fmt.Errorf("%w: %s", err, lastLine(errors.String()))
	}
	r := &Report{}
	if err := json.Unmarshal([]byte(lastLine(out.String())), r); err != nil {
		return nil, fmt.Errorf("unreadable report %q", lastLine(out.String()))
	}
	return r, nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// Quick methods are run several times and stand for themselves with their
// median: of a few milliseconds, the machine's mood is a large part.
const (
	repeats  = 5
	profiled = 200 // repeats where a profile is wanted, which looks at a job once in 10 ms
	quick    = 4.0 // CPU seconds of all repeats together, after which it is enough
)

// median repeats a method while that is quick, and returns the report with the
// median of CPU seconds and of wall seconds.
func median(most int, do func() (*Report, error)) (*Report, error) {
	var all []*Report
	for spent := 0.0; len(all) < most && (len(all) == 0 || spent < quick); {
		r, err := do()
		if err != nil {
			return nil, err
		}
		all = append(all, r)
		spent += r.CPU
	}
	middle := func(of func(*Report) float64) float64 {
		x := make([]float64, len(all))
		for i, r := range all {
			x[i] = of(r)
		}
		slices.Sort(x)
		return x[(len(x)-1)/2]
	}
	out := *all[0]
	out.CPU = middle(func(r *Report) float64 { return r.CPU })
	out.Wall = middle(func(r *Report) float64 { return r.Wall })
	out.Runs = len(all)
	return &out, nil
}

// own does a job in processes of this program.
func (b *bench) own(ctx context.Context, j Job) (*Report, error) {
	most := repeats
	if j.Profiles = b.profiles; j.Profiles != "" {
		most = profiled
	}
	return median(most, func() (*Report, error) { return b.ownOnce(ctx, j) })
}

func (b *bench) ownOnce(ctx context.Context, j Job) (*Report, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	var env []string
	if j.Tier != "" {
		env = []string{"MOIETY_TIER=" + j.Tier}
	}
	return spawn(ctx, b.limit, env, self, "-job", string(text))
}

// work is the other end of own.
func work(ctx context.Context, text string) error {
	var j Job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	profiles = j.Profiles
	blas64.Use(spectral.OneCore())
	do, ok := jobs[j.Method]
	if !ok {
		return fmt.Errorf("unknown job %q", j.Method)
	}
	r, err := do(ctx, j)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// jobs are the methods of moiety.
var jobs = map[string]func(context.Context, Job) (*Report, error){
	"lda":          jobFlat,
	"topics":       jobFlat,
	"patients":     jobFlat,
	"tree":         jobTree,
	"free tree":    jobTree,
	"steady tree":  jobTree,
	"em":           jobEM,
	"file":         jobFile,
	"folder":       jobFile,
	"read":         jobRead,
	"pass":         jobPass,
	"cache":        jobCache,
	"scale tree":   jobScale,
	"scale part":   jobScale,
	"scale flat":   jobScale,
	"scale lda":    jobScale,
	"scale topics": jobScale,
}
