package beam_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/moiety-go/moiety/beam"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
)

// trouble names what the command of a pass does before it begins, once: the test
// program is that command when the variable is set.
const trouble, once = "MOIETY_BEAM_TROUBLE", "MOIETY_BEAM_ONCE"

// inStore names the store through which a pass goes, if any.
const inStore = "MOIETY_BEAM_STORE"

func TestMain(m *testing.M) {
	if os.Getenv(trouble) == "" {
		os.Exit(m.Run())
	}
	if err := pass(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func pass() error {
	elements, err := beam.Elements(os.Stdin, 2)
	if err != nil {
		return err
	}
	if mark := os.Getenv(once); mark != "" {
		if _, err := os.Stat(mark); err != nil {
			if err := os.WriteFile(mark, nil, 0o600); err != nil {
				return err
			}
			if err := meet(elements); err != nil {
				return err
			}
		}
	}
	sdk.Init()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if at := os.Getenv(inStore); at != "" {
		beam.SetRowsPart(4096)
		return beam.RunIn(ctx, "prism", at, elements)
	}
	return beam.Run(ctx, "prism", elements)
}

// meet meets with trouble.
func meet(elements []string) error {
	switch os.Getenv(trouble) {
	case "killed": // after one of the elements
		if err := (&beam.Pieces{}).ProcessElement(context.Background(), elements[0], func(int) {}); err != nil {
			return err
		}
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		return self.Kill()
	case "damaged":
		rows := filepath.Join(strings.Fields(elements[0])[0], "rows.moiety")
		text, err := os.ReadFile(rows)
		if err != nil {
			return err
		}
		text[2000] ^= 0x55
		return os.WriteFile(rows, text, 0o600)
	}
	return nil
}

// records writes a table of presences of three groups.
func records(t *testing.T, n int) string {
	t.Helper()
	r := stream.New(29, "beam")
	var b bytes.Buffer
	b.WriteString("id,a,b,c,d,e,f,g,h,i\n")
	for i := range n {
		fmt.Fprintf(&b, "r%d", i)
		z := r.IntN(3)
		for h := range 9 {
			p := .15
			if h/3 == z {
				p = .75
			}
			x := 0
			if r.Float64() < p {
				x = 1
			}
			fmt.Fprintf(&b, ",%d", x)
		}
		b.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func order(t *testing.T, data string, s fit.Settings, what string) run.Order {
	t.Helper()
	s.Seed = 1
	o := run.Order{Order: fit.Order{Args: []string{data}, Fit: s}, Out: filepath.Join(t.TempDir(), "run")}
	if what == "" {
		return o
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Spread = fit.Spread{
		By:   fmt.Sprintf("%s=%s %s=%s '%s'", trouble, what, once, filepath.Join(t.TempDir(), "mark"), self),
		Work: t.TempDir(), Limit: time.Minute,
	}
	return o
}

func made(t *testing.T, o run.Order) string {
	t.Helper()
	r, err := run.Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r.Path
}

// TestPrism: a fit by Beam, one element a few lanes, has the bytes of one machine,
// also where a process of it is killed.
func TestPrism(t *testing.T) {
	data, temp := records(t, 9_000), t.TempDir()
	t.Setenv("TMPDIR", temp)
	defer func() {
		left, err := os.ReadDir(temp)
		for _, f := range left {
			t.Errorf("%s was left in the temporary folder (%v)", f.Name(), err)
		}
	}()
	flat := fit.Settings{K: 3, Spec: model.Spec{Model: "bernoulli"}}
	over := flat
	over.Over = true
	for name, c := range map[string]struct {
		s    fit.Settings
		what string
	}{
		"flat": {flat, "none"}, "a tree over groups": {over, "none"}, "killed": {flat, "killed"},
	} {
		t.Run(name, func(t *testing.T) {
			here, there := made(t, order(t, data, c.s, "")), made(t, order(t, data, c.s, c.what))
			for _, file := range []string{"model.moiety", "tree.moiety", "assignments.moiety", "rows.moiety"} {
				want, err := os.ReadFile(filepath.Join(here, file))
				if os.IsNotExist(err) {
					continue
				}
				if got, err := os.ReadFile(filepath.Join(there, file)); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s has other bytes (%v)", file, err)
				}
			}
		})
	}
}

// TestDamaged: rows that a worker cannot read end the fit with their place.
func TestDamaged(t *testing.T) {
	o := order(t, records(t, 9_000), fit.Settings{K: 3, Spec: model.Spec{Model: "bernoulli"}}, "damaged")
	if _, err := run.Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), "rows.moiety, block 0") {
		t.Errorf("damaged rows: %v", err)
	}
}

func TestElements(t *testing.T) {
	lines := "/w 3 0\n/w 3 1\n/w 3 2\n"
	got, err := beam.Elements(strings.NewReader(lines), 2)
	if want := []string{"/w 3 0", "/w 3 1 2"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("elements %q, %v, want %q", got, err, want)
	}
	if _, err := beam.Elements(strings.NewReader("nonsense\n"), 2); err == nil {
		t.Error("a line of one word was taken")
	}
}
