package show_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

func TestDOT(t *testing.T) {
	r := &report.Report{
		Unit: report.Unit{Many: "patients"},
		Groups: []report.Group{
			{ID: "1", Name: `All "patients"`, Children: []string{"1.1", "1.2"}},
			{ID: "1.1", Name: "A\\B", Number: 1, Parent: "1"},
			{ID: "1.2", Name: "C", Number: 2, Parent: "1"},
		},
	}
	var b bytes.Buffer
	if err := show.DOT(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`label="1\nAll \"patients\"\n`, `label="1.1\nA\\B\n`, `"1" -> "1.1";`, `"1" -> "1.2";`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}
