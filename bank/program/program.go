// Package program runs the program that is judged, as a user would, and reads what
// it says. It knows the program's command line, JSON document and tables, no more.
package program

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/moiety-go/moiety/bank/draw"
)

// Program is a program to be judged.
type Program struct {
	Path string
	CPU  time.Duration // most CPU time of one command
}

// Answer is what the program said of a file.
type Answer struct {
	Verdict Verdict
	Members []string // the group of every key of the file, "" where it was not placed
	CPU     float64  // seconds of the fit
	Exit    int
	Error   string // empty where there is an answer
}

// Failed says whether there is no answer.
func (a Answer) Failed() bool { return a.Error != "" }

// Fit fits a file, told the number of groups where told is above 0, and reads the
// verdict and the members. The folder takes what the program writes.
func (p Program) Fit(ctx context.Context, f draw.File, folder string, told int) Answer {
	run := filepath.Join(folder, "run")
	args := append([]string{"fit", f.Path, "-o", run, "--force", "--json", "-q", "--workers", "1"}, f.Flags...)
	if told > 0 {
		args = append(args, "-k", strconv.Itoa(told))
	}
	out := p.command(ctx, folder, args)
	a := Answer{CPU: out.cpu, Exit: out.exit, Error: out.fault}
	if a.Failed() {
		return a
	}
	if err := a.read(ctx, p, out.text, f, folder); err != nil {
		a.Error = err.Error()
	}
	return a
}

// read reads the document of a fit and the tables of its run.
func (a *Answer) read(ctx context.Context, p Program, document []byte, f draw.File, folder string) (err error) {
	if a.Verdict, err = parse(document); err != nil {
		return err
	}
	tables := filepath.Join(folder, "tables")
	out := p.command(ctx, folder, []string{"export", filepath.Join(folder, "run"), "--to", "csv", "-o", tables, "--force", "-q"})
	if out.fault != "" {
		return fmt.Errorf("export: %s", out.fault)
	}
	a.Members, err = members(tables, f)
	return err
}
