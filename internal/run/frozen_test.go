package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
)

// frozen is an exchange in which every noisy sum is a constant: that of whoever asked
// first, whatever the records of those who ask later.
type frozen map[string][]float64

func (frozen) Places() (place, places int) { return 0, 3 }

func (frozen) Known(pass.Round) ([]float64, bool, error) { return nil, false, nil }

func (f frozen) Add(_ context.Context, r pass.Round, x []float64) ([]float64, error) {
	if f[r.Name] == nil {
		f[r.Name] = append(slices.Clone(x[:len(x)-1]), 3)
	}
	return slices.Clone(f[r.Name]), nil
}

func (frozen) Secret(pass.Round, []float64) ([32]byte, error) { return [32]byte{1}, nil }

func (frozen) Leave(error) {}

// prescribed writes people with codes in three groups; a share of the codes is more
// frequent where most is higher. All codes are in use, by at least twenty people each.
func prescribed(t *testing.T, seed uint64, people int, most float64, backwards bool) string {
	t.Helper()
	const codes, groups = 12, 3
	r := stream.New(seed, "prescribed")
	var lines []string
	for i := range people {
		var list []string
		for c := range codes {
			p := .04 + .1*most*float64(c)/codes
			if c%groups == i%groups {
				p = .9 - .3*most*float64(c)/codes
			}
			if r.Float64() < p || i/20 == c { // the twenty people of every code
				list = append(list, fmt.Sprintf("%c%d", 'z'-byte(c*7%26), c))
			}
		}
		if len(list) > 0 {
			lines = append(lines, fmt.Sprintf("p%d,", i)+strings.Join(list, fmt.Sprintf("\np%d,", i)))
		}
	}
	if backwards {
		slices.Reverse(lines)
	}
	name := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(name, []byte("id,code\n"+strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func privately(data string) Order {
	o := Order{Order: fit.Order{Args: []string{data}}}
	o.Fit = fit.Settings{K: 3, Seed: 1, Spec: model.Spec{Model: "bernoulli"}, Privacy: fit.Privacy{Epsilon: 50}}
	return o
}

// leaves returns the bytes that leave after a private fit whose sums are those of x: the
// model to be sent out. with says how the order is made one that adds up by x.
func leaves(t *testing.T, o Order, x pass.Exchange, with func(Order, pass.Exchange) (*Made, error)) []byte {
	t.Helper()
	m, err := with(o, x)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r, err := m.Write(t.Context(), filepath.Join(t.TempDir(), "run"), false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if names := s.Model.Vocab.Names; len(names) != 12 || !slices.IsSorted(names) {
		t.Errorf("the model to be sent out names %v", names)
	}
	var out bytes.Buffer
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestFrozenRelease: where every noisy sum is a constant, all that leaves is the same
// byte by byte, whatever the records, as long as they have the same codes: the model of
// one place, the first file of a site and the model of a study. What differs is no sum
// with noise, and was never paid for.
func TestFrozenRelease(t *testing.T) {
	one, two := prescribed(t, 1, 3000, 0, false), prescribed(t, 2, 2400, 1, true)
	t.Run("one place", func(t *testing.T) {
		x := frozen{}
		alone := func(o Order, x pass.Exchange) (*Made, error) {
			p, err := Prepare(t.Context(), o, "")
			if err != nil {
				return nil, err
			}
			o.Join = &fit.Join{Exchange: x}
			return fitted(t.Context(), p, o, "", o.Timer())
		}
		a := leaves(t, privately(one), x, alone)
		if b := leaves(t, privately(two), x, alone); !bytes.Equal(a, b) {
			t.Errorf("the models to be sent out differ: %.300q and %.300q", a, b)
		}
	})
	t.Run("a site of a study", func(t *testing.T) {
		x, key := frozen{}, filepath.Join(t.TempDir(), "key")
		var first, last [][]byte
		for _, data := range []string{one, two} {
			f, page, err := Part{Order: privately(data), Site: "A", Key: key}.First(t.Context())
			if err == nil && page.NewKey != nil {
				err = os.WriteFile(key, page.NewKey, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := f.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			first = append(first, text)
			for i, s := range []string{"B", "C"} { // other sites, of the same codes
				f.Sites = append(f.Sites, exchange.Site{Name: s, Key: fmt.Sprint(i), Open: f.Sites[0].Open})
			}
			last = append(last, leaves(t, privately(data), x, func(o Order, x pass.Exchange) (*Made, error) {
				return o.Together(t.Context(), f, x)
			}))
		}
		if !bytes.Equal(first[0], first[1]) {
			t.Errorf("the first files differ: %q and %q", first[0], first[1])
		}
		if !bytes.Equal(last[0], last[1]) {
			t.Errorf("the models to be sent out differ: %.300q and %.300q", last[0], last[1])
		}
	})
}

// What chooses features or records by exact counts is refused beside ε, on one machine
// as at sites.
func TestPrivatelyUncounted(t *testing.T) {
	data := prescribed(t, 1, 300, 0, false)
	for name, change := range map[string]func(*Order){
		"min-df": func(o *Order) { o.Encode.MinDF.Count = 30 }, "max-df": func(o *Order) { o.Encode.MaxDF.Share = .5 },
		"vocab": func(o *Order) { o.Encode.Vocab.Count = 5 }, "within": func(o *Order) { o.Args, o.Within = nil, "run:1" },
	} {
		o := privately(data)
		change(&o)
		if _, err := Prepare(t.Context(), o, ""); err == nil || !strings.Contains(err.Error(), "‹"+name+"›") || source.IsEmpty(err) || errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
