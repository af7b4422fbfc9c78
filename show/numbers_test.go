package show_test

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

var (
	cardPattern = regexp.MustCompile(`(?s)<article class="card".*?</article>`)
	cardID      = regexp.MustCompile(`<span class="id">([0-9.]+)</span>`)
	cardSize    = regexp.MustCompile(`<p class="size"><strong>([^<]*)</strong> <span class="quiet">([^<]*)</span>`)
	cardBar     = regexp.MustCompile(`<div class="room share"><span class="bar" style="width:([0-9.]+)%"`)
	cardMark    = regexp.MustCompile(`<span class="what">([^<]*)</span> <span class="number">([^<]*?)(?: <span class="quiet">([^<]*)</span>)?</span>`)
	bigPattern  = regexp.MustCompile(`<span class="value">([^<]*)</span> <span class="label">([^<]*)</span>`)
)

// TestFirstPagesByHand compares every number of the first screen and of the cards
// with what is counted here, record by record.
func TestFirstPagesByHand(t *testing.T) {
	d := hospital(t, 1, 1000)
	for _, leaves := range []int{2, 4, 6} {
		name, o := fmt.Sprintf("%d leaves", leaves), grown(t, d, fit.TreeShape{Leaves: leaves})
		r := explained(t, o, d, report.Settings{Files: []string{"hospital.csv"}, Made: "2026-11-15"})
		var b bytes.Buffer
		if err := show.WriteReportHTML(&b, r, show.Pages{}); err != nil {
			t.Fatal(err)
		}
		page := html.UnescapeString(b.String())
		if want := "hospital.csv · 15 November 2026 · 1,000 patients · 14 diagnoses"; !strings.Contains(page, want) {
			t.Errorf("%s: the page does not say %q", name, want)
		}
		members := membersOf(r, o)
		if got := bigPattern.FindAllStringSubmatch(page, -1); got[0][1] != fmt.Sprint(len(r.Leaves)) || got[1][1] != "1,000" || got[2][1] != report.Percent(mostMembers(r, members)) {
			t.Errorf("%s: big numbers %q", name, got)
		}
		cards := cardPattern.FindAllString(page, -1)
		if len(cards) != len(r.Groups)-1 {
			t.Fatalf("%s: %d cards of %d groups", name, len(cards), len(r.Groups))
		}
		for _, card := range cards {
			id := cardID.FindStringSubmatch(card)[1]
			checkCard(t, d, card, id, members[id])
		}
	}
}

// membersOf lists the records of every group, by the leaf each is put into.
func membersOf(r *report.Report, o *fit.Outcome) map[string][]int {
	out := make(map[string][]int)
	for i, leaf := range o.Group {
		for id := r.Leaf(int(leaf)).ID; id != ""; {
			out[id] = append(out[id], i)
			at := strings.LastIndexByte(id, '.')
			if at < 0 {
				break
			}
			id = id[:at]
		}
	}
	return out
}

func mostMembers(r *report.Report, members map[string][]int) float64 {
	most := 0
	for j := range r.Leaves {
		most = max(most, len(members[r.Leaf(j).ID]))
	}
	return float64(most) / 1000
}

// checkCard compares the numbers of a card.
func checkCard(t *testing.T, d *dataset.Dataset, card, id string, in []int) {
	t.Helper()
	share := float64(len(in)) / 1000
	size := cardSize.FindStringSubmatch(card)
	if size[1] != report.Percent(share) || size[2] != fmt.Sprintf("%s of 1,000 patients", report.Thousands(len(in))) {
		t.Errorf("%s: size %q, want %d of 1,000", id, size[1:], len(in))
	}
	if got, want := cardBar.FindStringSubmatch(card)[1], fmt.Sprintf("%.1f", 100*share); got != want {
		t.Errorf("%s: a bar of %s, want %s", id, got, want)
	}
	marks := cardMark.FindAllStringSubmatch(card, -1)
	if len(marks) == 0 {
		t.Errorf("%s: nothing marks it", id)
	}
	for _, m := range marks {
		f := -1
		for h := range d.Vocab.Titles {
			if strings.EqualFold(m[1], d.Vocab.Titles[h]) || strings.EqualFold(m[1], codes.Short(d.Vocab.Titles[h])) {
				f = h
			}
		}
		if f < 0 {
			t.Errorf("%s: no diagnosis %q", id, m[1])
			continue
		}
		have, all := 0, 0
		for i := range d.Len() {
			if d.Rows.At(i, f) != 0 {
				all++
			}
		}
		for _, i := range in {
			if d.Rows.At(i, f) != 0 {
				have++
			}
		}
		p, q := float64(have)/float64(len(in)), float64(all)/1000
		if m[2] != report.Percent(p) || m[3] != report.Times(p/q)+"× as often" {
			t.Errorf("%s, %s: %q %q, want %s and %s", id, m[1], m[2], m[3], report.Percent(p), report.Times(p/q))
		}
	}
}
