package api_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// made is a table of records in three groups: measurements, counts, or walks through
// states.
func made(kind string, n int) (head []string, rows [][]string) {
	r := stream.New(7, "told/"+kind)
	columns := map[string]int{"measurements": 4, "counts": 60, "walks": 12}[kind]
	head = []string{"id"}
	for c := range columns {
		head = append(head, fmt.Sprintf("%s%d", kind[:1], c+1))
	}
	for i := range n {
		g := i % 3
		row, at := []string{fmt.Sprintf("P%d", i)}, r.IntN(3)
		for c := range columns {
			switch kind {
			case "measurements":
				row = append(row, strconv.FormatFloat(3*float64((g+c)%3)+r.NormFloat64(), 'f', 3, 64))
			case "counts":
				mean := 1.0
				if c%3 == g {
					mean = 6
				}
				count := 0
				for range 12 {
					if r.Float64() < mean/12 {
						count++
					}
				}
				row = append(row, strconv.Itoa(count))
			default:
				if r.Float64() > .8 {
					at = (at + 1 + r.IntN(2)) % 3
				}
				seen := at
				if r.Float64() < .1 {
					seen = r.IntN(3)
				}
				row = append(row, []string{"home", "ward", "clinic"}[seen])
			}
		}
		rows = append(rows, row)
	}
	return head, rows
}

// TestVerdictShowsProgress: whatever the records are, who waits for the verdict is told how
// far it is, in hundredths that only rise.
func TestVerdictShowsProgress(t *testing.T) {
	numtest.NotShort(t)
	a, f, _ := workbench(t)
	for _, kind := range []string{"patients", "answers", "texts", "measurements", "counts", "walks"} {
		var head []string
		var rows [][]string
		switch kind {
		case "patients":
			head, rows = api.ExamplePatients(3, 500)
		case "answers":
			head, rows = api.ExampleAnswers(3, 400)
		case "texts":
			head, rows = api.ExampleTexts(3, 300)
		default:
			head, rows = made(kind, map[string]int{"measurements": 600, "counts": 300, "walks": 120}[kind])
		}
		places, last := 0, int64(0)
		for less := range 3 { // on a busy machine who watches may sleep through most of the way
			data := put(t, f, fmt.Sprint(kind, less, ".csv"), head, rows[less:]) // what was judged once is kept
			if places, last = watched(t, a, data); places >= 4 && last >= 60 {
				break
			}
		}
		if places < 4 || last < 60 {
			t.Errorf("%s: only %d places of the way were told, the last %d", kind, places, last)
		}
	}
}

// watched has a light made and returns how many places of the verdict's way were seen, and
// the last of them.
func watched(t *testing.T, a *api.API, data string) (places int, last int64) {
	t.Helper()
	j, err := a.StartLight(t.Context(), api.DataRequest{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	for {
		now, changed, err := a.Watch(j.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range now.Steps {
			if !strings.HasPrefix(s.Name, "judging how many") || s.Total == 0 {
				continue
			}
			if s.Total != 100 || s.Unit != "%" || s.Done < last {
				t.Errorf("%+v after %d", s, last)
			}
			last = s.Done
			seen[last] = true
		}
		if now.State.Over() {
			if now.State != api.Done {
				t.Error(now.Error)
			}
			return len(seen), last
		}
		<-changed
	}
}
