package read

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// What a row is and how many people there are is counted on all rows, also far
// behind the part that tells the shape.
func TestRowsOfPeople(t *testing.T) {
	table := func(rows, people int, header, dx string) source.Input {
		var b strings.Builder
		b.WriteString(header + "\n")
		for i := range rows {
			fmt.Fprintf(&b, "%d,x%d,%s\n", 1000+i*7919%people, i, strings.ReplaceAll(dx, "{i}", fmt.Sprint(i%7)))
		}
		return memory("t.csv", b.String())
	}
	codes := "42{i}.0,4019,25000,78079,41401,5859,2859,4280,53081,2724"
	dx := ",dx1,dx2,dx3,dx4,dx5,dx6,dx7,dx8,dx9,dx10"
	for _, x := range []struct {
		in     source.Input
		o      record.Reading
		unit   string
		people int
		note   string
	}{
		{table(600, 100, "patient_id,claim_id"+dx, codes), record.Reading{}, "claim", 100, "a record is a claim, not a patient: 600 claims are of 100 patients (column patient_id repeats); --unit patient"},
		{table(40000, 30011, "patient_nbr,encounter_id"+dx, codes), record.Reading{}, "encounter", 30011, "40,000 encounters are of 30,011 patients"},
		{table(600, 100, "member_id,visit"+dx, codes), record.Reading{}, "visit", 100, "a record is a visit, not a person: 600 visits are of 100 people"},
		{table(600, 100, "patient_id,x"+dx, codes), record.Reading{Unit: "row"}, "row", 100, ""},
		{table(600, 595, "patient_id,claim_id"+dx, codes), record.Reading{}, "claim", 0, "are of slightly fewer patients"},
		{table(600, 600, "patient_id,claim_id"+dx, codes), record.Reading{}, "", 0, ""},
		{table(600, 4, "member,claim_id"+dx, codes), record.Reading{}, "", 0, ""}, // four clubs, not four people
		{table(600, 100, "patient_id,claim_id"+dx, codes), record.Reading{Unit: "patient"}, "", 0, ""},
		{table(600, 100, "patient_id,claim_id,age,bmi,bp", "4{i},2{i}.5,1{i}.25"), record.Reading{}, "claim", 100, "600 claims are of 100 patients (column patient_id repeats)"},
	} {
		p := new(record.Problems)
		src, err := OpenInputs(context.Background(), []source.Input{x.in}, Options{Reading: x.o}, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := src.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(record.Texts(p.Notes), "\n")
		if p.Unit != x.unit || p.People != x.people || !strings.Contains(notes, x.note) || x.note == "" && strings.Contains(notes, "a record is") {
			t.Errorf("%q of %d, want %q of %d: %q\n%s", p.Unit, p.People, x.unit, x.people, x.note, notes)
		}
	}
}
