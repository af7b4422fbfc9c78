// Package beam adds up the sums of a fit on Apache Beam: one element of the
// pipeline is a few pieces of the records, summed up by the code that sums up on
// one machine. Beam spreads elements over workers and starts them again where they
// fail; no record and no sum goes through it, both are in a folder that all see, or in a
// store of objects.
package beam

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/moiety-go/moiety/internal/fit"
)

func init() { // Beam finds functions by their names
	register.DoFn3x1[context.Context, string, func(int), error](&Pieces{})
	register.Emitter1[int]()
	register.Function1x0(noted)
}

// Pieces adds up the pieces of an element: the folder of the fit, the round, and
// the numbers of the pieces.
type Pieces struct {
	Workers int // cores of an element; 0 for all
}

// ProcessElement adds up pieces and says how many; done twice it writes the same bytes
// twice.
func (p *Pieces) ProcessElement(ctx context.Context, element string, done func(int)) error {
	pieces, err := p.add(ctx, element)
	if err == nil {
		done(pieces)
	}
	return err
}

func (p *Pieces) add(ctx context.Context, element string) (pieces int, err error) {
	words := strings.Fields(element)
	if len(words) < 3 {
		return 0, fmt.Errorf("beam: an element %q, want FOLDER ROUND PIECE...", element)
	}
	numbers := make([]int, len(words)-1)
	for i, w := range words[1:] {
		n, err := strconv.Atoi(w)
		if err != nil {
			return 0, fmt.Errorf("beam: an element %q, want FOLDER ROUND PIECE...", element)
		}
		numbers[i] = n
	}
	round, list := numbers[0], numbers[1:]
	if !InStore(words[0]) {
		return len(list), fit.Piece(ctx, words[0], round, list, p.Workers)
	}
	s, err := OpenStore(ctx, words[0])
	if err != nil {
		return 0, err
	}
	return len(list), errors.Join(s.Follow(ctx, round, list, p.Workers), s.Close())
}

// noted takes note of pieces that are done.
func noted(int) {}

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

// RunIn is Run for elements whose folder workers do not see: what they need is carried
// to a store and their sums back. All elements are of one folder and round.
func RunIn(ctx context.Context, runner, store string, elements []string) error {
	if len(elements) == 0 {
		return nil
	}
	words := strings.Fields(elements[0])
	round, err := strconv.Atoi(words[1])
	if err != nil {
		return fmt.Errorf("beam: an element %q, want FOLDER ROUND PIECE...", elements[0])
	}
	s, err := OpenStore(ctx, store)
	if err != nil {
		return err
	}
	defer s.Close()
	back, err := s.Lead(ctx, words[0], round)
	if err != nil {
		return err
	}
	there := make([]string, len(elements))
	for i, e := range elements {
		there[i] = s.at + strings.TrimPrefix(e, words[0])
	}
	return errors.Join(Run(ctx, runner, there), back())
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
	// What is done goes one stage farther: while a stage without output is at work, Prism
	// keeps a core busy with waiting for it.
	beam.ParDo0(s, noted, beam.Reshuffle(s, beam.ParDo(s, &Pieces{workers}, spread)))
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
