package encode

import (
	"errors"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
)

// Side columns are read as the rest of the file is: decimal commas, thousands,
// limits, and dates whose order the column itself tells.
func TestWhereStyles(t *testing.T) {
	data := func() *fake {
		f := lists("long", record.Presence, "a b", "a c", "b c", "a d").
			side("days", "10,4", "10,6", "2", "1.012,5").
			side("lab", "<0,2", "61 %", "3,5", "").
			side("left", "30.06.2020", "01.07.2020", "13.05.20", "").
			side("born", "05.03.49", "05.03.50", "31.12.2004", "").
			side("us", "06/30/2020", "07/01/2020 10:00", "05/13/2020", "12/12/2020").
			side("either", "06/07/2020", "07/01/2020", "05/03/2020", "12/12/2020").
			ids("1", "2", "3", "4")
		f.schema.Decimal = ','
		return f
	}
	for _, c := range []struct{ where, want string }{
		{"days > 10.5", "2 4"},
		{"days < 10.5", "1 3"},
		{"days = 1012.5", "4"},
		{"lab < 1", "1"},
		{"lab > 60", "2"},
		{"left > 2020-06-30", "2"},
		{"left <= 2020-06-30", "1 3"},
		{"born > 2000-01-01", "1 3"}, // 49 is 2049, 50 is 1950
		{"us >= 2020-07-01", "2 4"},
		{"us = 2020-05-13", "3"},
	} {
		r := encode(t, data(), Settings{Encoding: dataset.Encoding{Where: c.where}})
		if got := strings.Join(held(r).IDs, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.where, got, c.want)
		}
	}
	for _, where := range []string{"either > 2020-01-01", "left > 5", "us < 3"} {
		if _, err := Encode(t.Context(), data(), Settings{Encoding: dataset.Encoding{Where: where}}, nil); !errors.Is(err, ErrCompare) {
			t.Errorf("%s: %v", where, err)
		}
	}
}
