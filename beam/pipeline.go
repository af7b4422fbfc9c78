// Package beam adds up the sums of a fit on Apache Beam: one element of the
// pipeline is a few pieces of the records, summed up by the code that sums up on
// one machine. Beam spreads elements over workers and starts them again where they
// fail; no record and no sum goes through it, both are in a folder that all see.
package beam

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/moiety-go/moiety/internal/fit"
)

func init() { register.DoFn2x1[context.Context, string, error](&Pieces{}) } // Beam finds functions by their names

// Pieces adds up the pieces of an element: the folder of the fit, the round, and
// the numbers of the pieces.
type Pieces struct {
	Workers int // cores of an element; 0 for all
}

// ProcessElement adds up pieces; done twice it writes the same bytes twice.
func (p *Pieces) ProcessElement(ctx context.Context, element string) error {
	words := strings.Fields(element)
	if len(words) < 3 {
		return fmt.Errorf("beam: an element %q, want FOLDER ROUND PIECE...", element)
	}
	numbers := make([]int, len(words)-1)
	for i, w := range words[1:] {
		n, err := strconv.Atoi(w)
		if err != nil {
			return fmt.Errorf("beam: an element %q, want FOLDER ROUND PIECE...", element)
		}
		numbers[i] = n
	}
	return fit.Piece(ctx, words[0], numbers[0], numbers[1:], p.Workers)
}

// Elements reads the lines that "moiety fit --by" gives, "FOLDER ROUND PIECE", and
// joins them into at most so many elements. A process that adds up several pieces
// of a round repeats the steps before it once for all of them.
func Elements(r io.Reader, most int) ([]string, error) {
	var heads []string
	pieces := map[string][]string{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		at := strings.LastIndexByte(line, ' ')
		if at < 0 {
			return nil, fmt.Errorf("beam: a line %q, want FOLDER ROUND PIECE as \"moiety fit --by\" gives", line)
		}
		head := line[:at]
		if pieces[head] == nil {
			heads = append(heads, head)
		}
		pieces[head] = append(pieces[head], line[at+1:])
	}
	var out []string
	for _, head := range heads {
		list := pieces[head]
		n := min(max(most, 1), len(list))
		for i := range n {
			out = append(out, head+" "+strings.Join(list[i*len(list)/n:(i+1)*len(list)/n], " "))
		}
	}
	return out, lines.Err()
}

// Run adds up elements on a runner of Beam.
func Run(ctx context.Context, runner string, elements []string) error {
	if len(elements) == 0 {
		return nil
	}
	forget, err := scratch()
	if err != nil {
		return err
	}
	defer forget()
	workers := 1 // a worker for each
	if len(elements) == 1 {
		workers = 0
	}
	p, s := beam.NewPipelineWithRoot()
	spread := beam.Reshuffle(s, beam.CreateList(s, elements))
	beam.ParDo0(s, &Pieces{workers}, spread)
	_, err = beam.Run(ctx, runner, p)
	return err
}

// scratch makes a temporary folder that of this process and returns what removes it:
// Beam leaves a file in it with every job that this process works on itself.
func scratch() (forget func(), err error) {
	const name = "TMPDIR"
	dir, err := os.MkdirTemp("", "moiety-beam-")
	if err != nil {
		return nil, err
	}
	old, had := os.LookupEnv(name)
	if err := os.Setenv(name, dir); err != nil {
		return nil, err
	}
	return func() {
		if had {
			os.Setenv(name, old)
		} else {
			os.Unsetenv(name)
		}
		os.RemoveAll(dir)
	}, nil
}
