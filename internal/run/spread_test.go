package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
)

// ofThree writes records of three groups: presences, texts or measurements.
func ofThree(t *testing.T, n int, head string, line func(b *strings.Builder, z int, u func() float64)) string {
	t.Helper()
	r := stream.New(23, "three groups")
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		fmt.Fprintf(&b, "r%d", i)
		line(&b, r.IntN(3), r.Float64)
		b.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func presences(b *strings.Builder, z int, u func() float64) {
	for h := range 9 {
		fmt.Fprintf(b, ",%d", b2i(u() < .15+.6*float64(b2i(h/3 == z))))
	}
}

func measurements(b *strings.Builder, z int, u func() float64) {
	for h := range 4 {
		fmt.Fprintf(b, ",%.3f", 3*float64(b2i(h == z))+u()+u()+u())
	}
}

const (
	nine = "id,a,b,c,d,e,f,g,h,i\n"
	four = "id,a,b,c,d\n"
)

// spreadLike makes a run of the order here, and one whose sums are made in pieces.
func spreadLike(t *testing.T, o Order, s fit.Spread) (here, there *Run) {
	t.Helper()
	o.Fit.Seed = 1
	o.Out = filepath.Join(t.TempDir(), "here")
	here, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	s.Work = t.TempDir()
	o.Out, o.Spread = filepath.Join(t.TempDir(), "there"), s
	if there, err = Make(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if left := entries(t, s.Work); len(left) > 0 {
		t.Errorf("left in the folder of the work: %v", left)
	}
	return here, there
}

// following adds up the pieces in two parts, each by a fit of its own, as other
// processes would.
func following(ctx context.Context, folder string, round int, pieces []int) error {
	half := len(pieces) / 2
	for _, part := range [][]int{pieces[:half], pieces[half:]} {
		if err := fit.Piece(ctx, folder, round, part, 1); err != nil {
			return err
		}
	}
	return nil
}

// TestSpread: sums that other processes add up, lane by lane, give the bytes of one
// machine: with records drawn for the start, with a tree over the groups, by a
// verdict, and of measurements.
func TestSpread(t *testing.T) {
	t.Parallel()
	bernoulli := model.Spec{Model: "bernoulli"}
	for name, c := range map[string]struct {
		n    int
		head string
		line func(*strings.Builder, int, func() float64)
		s    fit.Settings
		long bool
	}{
		"a start on some":        {140_000, nine, presences, fit.Settings{K: 3, Spec: bernoulli}, true},
		"a tree over groups":     {9_000, nine, presences, fit.Settings{K: 4, Over: true, Spec: bernoulli}, false},
		"by the verdict":         {1_000, nine, presences, fit.Settings{}, true},
		"moments alone":          {9_000, nine, presences, fit.Settings{K: 3, Spec: bernoulli, Refine: fit.None}, false},
		"measurements":           {4_500, four, measurements, fit.Settings{K: 3, Spec: model.Spec{Model: "gaussian"}}, true},
		"double precision":       {9_000, nine, presences, fit.Settings{K: 3, Spec: bernoulli, Double: true}, true},
		"more groups than shown": {5_000, nine, presences, fit.Settings{K: 12, Spec: bernoulli, Refine: fit.None}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && c.long {
				t.Skip("many records or passes")
			}
			o := Order{Order: fit.Order{Args: []string{ofThree(t, c.n, c.head, c.line)}, Fit: c.s}}
			rounds := 0
			here, there := spreadLike(t, o, fit.Spread{Do: func(ctx context.Context, folder string, round int, pieces []int) error {
				rounds++
				return following(ctx, folder, round, pieces)
			}})
			sameBytes(t, there, here)
			t.Logf("count: %d passes in pieces", rounds)
			if rounds == 0 {
				t.Error("nothing was added up elsewhere")
			}
		})
	}
}

// TestSpreadShards: pieces that are runs of blocks place every record alike.
func TestSpreadShards(t *testing.T) {
	t.Parallel()
	o := Order{Order: fit.Order{Args: []string{ofThree(t, numtest.Scale(13_000, 20_000, 20_000), nine, presences)}, Fit: fit.Settings{K: 3, Spec: model.Spec{Model: "bernoulli"}, Double: true}}}
	here, there := spreadLike(t, o, fit.Spread{Shards: 3, Do: following})
	for h := range here.Outcome.Model.Params.Centers.RawMatrix().Data {
		a, b := here.Outcome.Model.Params.Centers.RawMatrix().Data[h], there.Outcome.Model.Params.Centers.RawMatrix().Data[h]
		if d := a - b; d > 1e-12 || d < -1e-12 {
			t.Fatalf("center %d: %v and %v", h, a, b)
		}
	}
	if !slices.Equal(here.Outcome.Group, there.Outcome.Group) {
		t.Error("records are placed otherwise")
	}
}

// TestSpreadTrouble: pieces that are lost, damaged or late are asked for again, and
// the answer is that of one machine; what cannot be mended is a clear error.
func TestSpreadTrouble(t *testing.T) {
	t.Parallel()
	data := ofThree(t, numtest.Scale(9_000, 13_000, 13_000), nine, presences)
	o := Order{Order: fit.Order{Args: []string{data}, Fit: fit.Settings{K: 3, Spec: model.Spec{Model: "bernoulli"}}}}
	times := map[int]int{}
	here, there := spreadLike(t, o, fit.Spread{Limit: time.Minute, Do: func(ctx context.Context, folder string, round int, pieces []int) error {
		times[round]++
		switch {
		case times[round] == 1 && round == 1: // killed before the last
			if err := following(ctx, folder, round, pieces[:len(pieces)-1]); err != nil {
				return err
			}
			return errors.New("signal: killed")
		case times[round] == 1 && round == 2: // a disk that flips bits
			if err := following(ctx, folder, round, pieces); err != nil {
				return err
			}
			list, err := filepath.Glob(filepath.Join(folder, "round-0002.piece-00001"))
			if err != nil || len(list) != 1 {
				t.Errorf("pieces of round 2: %v, %v", list, err)
			}
			text, _ := os.ReadFile(list[0])
			text[len(text)-40] ^= 1
			return os.WriteFile(list[0], text, 0o600)
		case times[round] == 2 && len(pieces) != 1:
			t.Errorf("round %d: %d pieces asked for again, want the lost one", round, len(pieces))
		}
		return following(ctx, folder, round, pieces)
	}})
	sameBytes(t, there, here)
	if times[1] != 2 || times[2] != 2 {
		t.Errorf("rounds were asked for %v times", times)
	}

	damaged := false
	damage := func(ctx context.Context, folder string, round int, pieces []int) error {
		rows := filepath.Join(folder, "rows.moiety")
		text, err := os.ReadFile(rows)
		if err != nil {
			return err
		}
		if !damaged {
			text[2000] ^= 0x55
			damaged = true
		}
		if err := os.WriteFile(rows, text, 0o600); err != nil {
			return err
		}
		return following(ctx, folder, round, pieces)
	}
	late := func(ctx context.Context, _ string, _ int, _ []int) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for want, s := range map[string]fit.Spread{
		"block 0":       {Do: damage},
		"left no sums":  {Do: func(context.Context, string, int, []int) error { return nil }},
		"longer than":   {Do: late, Limit: 20 * time.Millisecond},
		"exit status 3": {By: "exit 3"},
	} {
		o.Out, o.Spread = filepath.Join(t.TempDir(), "run"), s
		o.Spread.Work = t.TempDir()
		_, err := Make(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
		if left := entries(t, o.Spread.Work); len(left) > 0 {
			t.Errorf("%s: left %v", want, left)
		}
	}
}
