package fit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/spread"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// Spread says that the sums of a fit are added up by other processes.
type Spread struct {
	// By is a command that has pieces added up: it gets a line for each of them,
	// the arguments of "moiety piece", on its standard input, and ends when all of
	// them are done. Empty sums up here.
	By string
	// Work is a folder that all processes see; a folder of this fit is made in it,
	// and removed in the end.
	Work string
	// Shards cuts the records into so many runs; 0 cuts them into lanes, which
	// give the bits of one machine.
	Shards int
	// Limit is the time for one pass before what is missing is asked for again.
	Limit time.Duration

	// Do has pieces added up, in place of By.
	Do func(ctx context.Context, folder string, round int, pieces []int) error
}

func (s Spread) asked() bool { return s.By != "" || s.Do != nil }

// ordered is what a process that adds up pieces must know of a fit.
type ordered struct {
	Fit      Settings `json:"fit"`
	Memory   int64    `json:"room"`
	InMemory bool     `json:"in_memory"` // rows are in memory where the fit is led
	SumsOnly bool     `json:"sums_only"`
	Seal     string   `json:"seal"` // of the rows
}

// study is what all processes agree on before the first round.
func (o ordered) study() string {
	text, err := json.Marshal(o)
	if err != nil { // settings hold only plain values
		return ""
	}
	return string(text)
}

// spread makes the runner of data one whose sums are added up elsewhere, and
// returns what takes away the traces of that.
func (o *Order) spread(ctx context.Context, set dataset.Data, data Training) (Training, func(), error) {
	if o.Join != nil || o.Encode.MinCodes > 0 || o.Fit.Spec.Own != nil {
		return data, nil, Unsuited("sums are added up by other processes (‹by›) of records of one place, all of them, with a model of this program: leave ‹by› out")
	}
	if strings.Contains(o.Spread.Work, "://") {
		return data, nil, Unsuited("‹work› %s: want a folder of this machine: mount the store as one, or give it to moiety-beam, which carries records and sums there", o.Spread.Work)
	}
	work, err := filepath.Abs(o.Spread.Work) // for processes that begin elsewhere
	if err != nil {
		return data, nil, err
	}
	if strings.ContainsAny(work, " \t\n\"'\\") && runtime.GOOS != "windows" {
		return data, nil, Unsuited("‹work› %s: commands read lists of words, and this folder is several: choose one without blanks and quotes", work)
	}
	dir, done, err := Scratch(ctx, work, "moiety-work-") // for this user alone
	if err != nil {
		return data, nil, fmt.Errorf("‹work›: %w", err)
	}
	data, file, err := o.spreadIn(spread.Folder(dir), set, data)
	if err != nil {
		done()
		return data, nil, err
	}
	return data, func() { file.Close(); done() }, nil
}

func (o *Order) spreadIn(folder spread.Folder, set dataset.Data, data Training) (Training, *dataset.File, error) {
	if err := writeRows(folder.Rows(), set); err != nil {
		return data, nil, err
	}
	file, err := dataset.Open(folder.Rows())
	if err != nil {
		return data, nil, err
	}
	w := ordered{
		Fit: o.Fit, Memory: data.Memory,
		InMemory: data.Run.Can().Rows != nil, SumsOnly: o.Fit.SumsOnly(data), Seal: file.Seal(),
	}
	text := w.study()
	err = os.WriteFile(folder.Order(), []byte(text), 0o600)
	if err == nil {
		lead := &spread.Leader{Folder: folder, Blocks: file.Blocks(), Shards: o.Spread.Shards, Limit: o.Spread.Limit, Do: o.Spread.doer(folder)}
		data, err = w.data(data, lead, file)
	}
	if err != nil {
		file.Close()
	}
	return data, file, err
}

// writeRows writes rows, wherever they are, to a file.
func writeRows(path string, set dataset.Data) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(set.CopyTo(f, 1), f.Close())
}

// data makes data those of a book, alike on both sides.
func (o ordered) data(data Training, book pass.Book, file *dataset.File) (Training, error) {
	if o.SumsOnly {
		data.Run = file.Runner(data.Run.Can().Workers)
	}
	s, err := pass.NewSpread(data.Run, book, o.study())
	data.Run = s
	return data, err
}

// doer runs the command for each pass.
func (s Spread) doer(folder spread.Folder) func(context.Context, int, []int) error {
	return func(ctx context.Context, round int, pieces []int) error {
		if s.Do != nil {
			return s.Do(ctx, string(folder), round, pieces)
		}
		var lines strings.Builder
		for _, p := range pieces {
			fmt.Fprintf(&lines, "%s %d %d\n", folder, round, p)
		}
		shell := []string{"sh", "-c"}
		if runtime.GOOS == "windows" {
			shell = []string{"cmd", "/c"}
		}
		c := exec.CommandContext(ctx, shell[0], shell[1], s.By)
		endGroup(c)
		c.WaitDelay = slack
		c.Stdin = strings.NewReader(lines.String())
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		if err := c.Run(); err != nil {
			return fmt.Errorf("the command of ‹by›: %w: %s", err, lastWords(said.String()))
		}
		return nil
	}
}

// slack is how long a command that was asked to end may take.
const slack = 5 * time.Second

// lastWords returns the end of what a command said.
func lastWords(text string) string {
	const most = 600
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = "…" + text[len(text)-most:]
	}
	return text
}

// Piece adds up pieces of a round of a fit that another process leads, and leaves
// the sums in its folder.
func Piece(ctx context.Context, dir string, round int, pieces []int, workers int) error {
	o, follow, err := openPieces(dir, round, pieces, workers)
	if err != nil {
		return err
	}
	defer follow.Data.Close()
	if err := o.follow(ctx, follow, follow.Data, workers); err != nil {
		return errors.Join(err, follow.Fault(err))
	}
	return nil
}

// PieceBytes returns which bytes of the file of rows Piece reads beside those that
// describe it, in order: where the folder is a copy of one in a store, no others need
// be fetched.
func PieceBytes(dir string, round int, pieces []int) ([][2]int64, error) {
	o, follow, err := openPieces(dir, round, pieces, 1)
	if err != nil {
		return nil, err
	}
	defer follow.Data.Close()
	if !o.SumsOnly {
		return [][2]int64{{0, follow.Data.Tail()}}, nil
	}
	var out [][2]int64
	for _, b := range follow.Blocks() {
		from, to := follow.Data.Span(b)
		out = append(out, [2]int64{from, to})
	}
	return out, nil
}

// openPieces opens what a round asks for. The data are to be closed.
func openPieces(dir string, round int, pieces []int, workers int) (o ordered, follow *spread.Follower, err error) {
	folder := spread.Folder(dir)
	text, err := os.ReadFile(folder.Order())
	if err != nil {
		return o, nil, err
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return o, nil, fmt.Errorf("%s: %w", folder.Order(), err)
	}
	file, err := dataset.Open(folder.Rows())
	if err != nil {
		return o, nil, err
	}
	follow = &spread.Follower{Folder: folder, Pieces: pieces, Data: file, Whole: !o.SumsOnly, Workers: workers}
	if file.Seal() != o.Seal {
		err = fmt.Errorf("%s holds other records than those of the fit", folder.Rows())
	} else {
		err = follow.Open(round)
	}
	if err != nil {
		file.Close()
	}
	return o, follow, err
}

// follow runs the fit up to the round that is asked for.
func (o ordered) follow(ctx context.Context, book *spread.Follower, file *dataset.File, workers int) error {
	p := &Prepared{Result: &encode.Result{Set: file}}
	if o.InMemory && !o.SumsOnly {
		set, err := file.Load(workers)
		if err != nil {
			return err
		}
		p = &Prepared{Result: &encode.Result{Set: set}}
	}
	data := p.Training(workers)
	data.Memory = o.Memory
	data, err := o.data(data, book, file)
	if err != nil {
		return err
	}
	o.Fit.Workers = workers
	journey := Tree
	if o.Fit.K > 0 {
		journey = Flat
	}
	switch _, err = journey(ctx, data, o.Fit); {
	case errors.Is(err, spread.ErrReached):
		return nil
	case err == nil:
		return errors.New("the fit ended before the round that was asked for")
	}
	return err
}

// SumsOnly reports that a fit learns through sums alone: where records are added up
// by several processes, each need look at its own part only. Others look at records
// one by one, here and there (verdicts, shapes of clouds, maximum likelihood).
func (s Settings) SumsOnly(data Training) bool {
	if s.K == 0 || s.Courses > 0 || s.Privacy.Epsilon > 0 || s.Prior < 0 || data.Sequences || divides(s.Method) {
		return false
	}
	switch data.Kind {
	case record.Presence, record.Counts, record.Categorical:
		return true
	}
	return false
}
