package show_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// TestPartsAreThePage sees to it that the parts are pieces of the report and
// nothing else.
func TestPartsAreThePage(t *testing.T) {
	w := ward(t, 1, 1500)
	r := explained(t, grown(t, w, fit.TreeShape{Leaves: 5}), w, report.Settings{Health: true})
	var whole bytes.Buffer
	if err := show.WriteReportHTML(&whole, r, show.Pages{}); err != nil {
		t.Fatal(err)
	}
	page := whole.String()
	p, err := show.NewParts(r, show.Pages{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		show.PartClaim, show.PartNumbers, show.PartWhole, show.PartCards, show.PartOutcomes, show.PartNext, show.PartEvidence, show.PartMethods,
	} {
		part, err := p.HTML(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, part) {
			t.Errorf("the part %s is not in the page", name)
		}
	}
	for i := range r.Groups {
		part, err := p.Group(r.Groups[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, part) || !strings.Contains(page, p.Colours(r.Groups[i].ID)) {
			t.Errorf("group %s is not in the page as it is alone", r.Groups[i].ID)
		}
	}
	if _, err := p.Group("9.9"); err == nil {
		t.Error("a group that is not there was told")
	}
}
