package delimited

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/read/source"
)

// The main diagnosis is one of the list whatever its column is called; what only repeats the
// list, or is of another system, is not.
func TestListByWhatColumnsHold(t *testing.T) {
	ten := strings.Fields("I10 E11.9 I50.9 J44.1 N18.3 F32.9 K21.0 M54.5 I25.1 E78.5 C50.9 G40.9 J18.9 N39.0 S72.0 I48.0 E66.9 D64.9 K80.2 L40.0")
	rare := strings.Fields("I21.0 C34.1 O80.0 S06.0 K35.8 I63.9 T81.4 F20.0 Z51.1 G35.0 R07.4 A41.9")
	nine := strings.Fields("4280 4019 25000 41401 42731 5849 2724 486 5990 2859 49390 53081 0389 V5861 40391 311 2449 5119")
	pick := func(r *rand.Rand, of []string, n int) (out []string) {
		for _, i := range r.Perm(len(of))[:n] {
			out = append(out, of[i])
		}
		return out
	}
	few := func(r *rand.Rand, of []string) []string { return append(pick(r, of, 1+r.IntN(4)), "", "", "", "")[:4] }
	numbered := ";Secondary diagnosis 1;Secondary diagnosis 2;Secondary diagnosis 3;Secondary diagnosis 4"
	for _, x := range []struct {
		name, head, want string
		row              func(r *rand.Rand) []string
	}{
		{"codes of the list", "Age;Main diagnosis" + numbered, "Main diagnosis, Secondary", func(r *rand.Rand) []string {
			all := pick(r, ten, 5)
			return append([]string{fmt.Sprint(20 + r.IntN(70)), all[0]}, append(all[1:1+r.IntN(4)], "", "", "", "")[:4]...)
		}},
		{"codes that no other column has", "Age;Hauptdiagnose" + numbered, "Hauptdiagnose, Secondary", func(r *rand.Rand) []string {
			return append([]string{fmt.Sprint(20 + r.IntN(70)), rare[r.IntN(len(rare))]}, few(r, ten)...)
		}},
		{"codes of digits", "Age;PRIMARY" + numbered, "PRIMARY, Secondary", func(r *rand.Rand) []string {
			all := pick(r, nine, 5)
			return append([]string{fmt.Sprint(20 + r.IntN(70)), all[0]}, append(all[1:1+r.IntN(4)], "", "", "", "")[:4]...)
		}},
		{"what somebody was admitted for", "Age;Admitted for" + numbered, "Secondary", func(r *rand.Rand) []string {
			list := few(r, ten)
			admitted := ten[r.IntN(len(ten))]
			if r.IntN(2) == 0 {
				admitted = list[0]
			}
			return append([]string{fmt.Sprint(20 + r.IntN(70)), admitted}, list...)
		}},
		{"another system", "Age;DRG" + numbered, "Secondary", func(r *rand.Rand) []string {
			return append([]string{fmt.Sprint(20 + r.IntN(70)), fmt.Sprintf("%c%02d%c", 'A'+rune(r.IntN(8)), 10+r.IntN(60), 'A'+rune(r.IntN(4)))}, few(r, ten)...)
		}},
	} {
		r := rand.New(rand.NewPCG(2, 9))
		var b strings.Builder
		b.WriteString("Patient;" + x.head + "\n")
		for i := range 300 {
			fmt.Fprintf(&b, "P%d;%s\n", i, strings.Join(x.row(r), ";"))
		}
		o := Options{Coded: codes.Evidence}
		p, err := Survey(context.Background(), source.Bytes("t.csv", []byte(b.String())), o)
		if err != nil {
			t.Fatal(err)
		}
		shape, _ := p.Classify(o)
		o.Shape, o.Guessed = shape, true
		pl, err := makePlan(p, o)
		if err != nil || shape != List {
			t.Fatalf("%s: %s, %v", x.name, shape, err)
		}
		var names []string
		for _, f := range pl.features {
			names = append(names, p.Columns[f.column].Name)
		}
		if got := strings.Join(names, ", "); !strings.HasPrefix(got, x.want) || len(names) != 4+strings.Count(x.want, ",") {
			t.Errorf("%s: %s", x.name, got)
		}
	}
}
