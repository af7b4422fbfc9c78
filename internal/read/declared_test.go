package read

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/moiety-go/moiety/record"
)

// Eighty rows of two dictionaries of numbers of rooms and two columns of whole numbers, written
// by pyarrow 26 and packed with gzip.
const roomsFile = "H4sIAAAAAAACA+1WS2sTURQ+k0ySqY4aa6wBQSIIFkGYM3k0AUErCi4EpRtdFkn60po0aX3hwh/iIsssXHTpMkuX/ggX/grjd86csZPBFHxAQXvhmzPn3PO49zvDnbu8svLgERNNMFYdoiLJOEE+5S" +
	"lHHt4wHJdciK/fJhORgi/AW+Ce6Z8RD8eMxJfNJiMHPOm0Byx29SFHfIpUQvY8FVBJtKju7PgA8nEi/kNUL1fC+x2gkorpd7vbUtPTOi4Q7c2hgzGyfBI7xHsRleM1yfpsTYfWCLSGpzPy9FX3gYLq" +
	"cX6XIg6F5xFkyfL4eIuY9jWWMq7OjWw+6sDB+qU3ZXi6NnPf7BcS+8rS7LGakncTc04qTzJfHpiz/Z0B5oHz1quLwCXgMnAFuApcA64Dwk8VaAAt4AZwE7httTkIOFhirnHIHNRZRIuDKhTmJXkETe" +
	"Y6hyEHDeYqh/CvsYwmBzC2mBvG6/4v8Tr/47soT30X/yC/YLChVLaU01DJbSrLrHTXhHdhtq4Us3JdU9LRm7rxW3aS/C5M85t1da3j7M95fG88Pkzs2zuEx1vOtJxlf5eZno/1oemVVLNifZiwual1" +
	"0W/ocX8z1k/Xzgjpa8H2OqesEJ20Pp8CTlu/hZuz1vdz9h1L/xf+k9zH/P1Z7jZt0nMa0Ctao6fUoz16Qxu0TX16SR3aoi7t0mtap2e0Qy+OwLsNvx5mO7DtIG4N3n34rCPPANEbiNmF5yay7R2B9y" +
	"S6C2g/on+Hp7cA306INp6L1gPpyaJdBCp2Do0T54z0q2f2/fiuYfKTnU8fU3Y6vl/9lfvVGAtY1jvtd21E+1PaCgAA"

// What columns are declared as is never overruled by what their cells look like: not the
// categories of a file, and not what the user says of a column.
func TestDeclaredKinds(t *testing.T) {
	packed, err := base64.StdEncoding.DecodeString(roomsFile)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(6, 6))
	scale := gen(named(6, "q"), 300, func(*rand.Rand, int) string {
		return cells(6, ",", func(int) string { return fmt.Sprint(r.IntN(4)) })
	})
	for _, x := range []struct {
		name, file, text string
		columns          []string
		want             string // kinds of the columns of features, by name
	}{
		{"dictionaries", "t.arrow", string(rooms), nil, "room0:categorical room1:categorical beds0:real beds1:real"},
		{"dictionaries said to be numbers", "t.arrow", string(rooms), []string{"room*=measurements"}, "room0:real room1:real beds0:real beds1:real"},
		{"numbers said to be answers", "t.arrow", string(rooms), []string{"beds0=answers"}, "room0:categorical room1:categorical beds0:categorical beds1:real"},
		{"answers said to be counts", "t.csv", scale, []string{"q1=counts", "q2=counts"}, "q1:counts q2:counts q3:categorical q4:categorical q5:categorical q6:categorical"},
	} {
		p := new(record.Problems)
		src, err := Open(context.Background(), []string{write(t, x.file, []byte(x.text))}, Options{Reading: record.Reading{Columns: x.columns}}, p)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if err := src.Read(context.Background(), func(*record.Batch) error { return nil }); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range src.Schema().Columns {
			got = append(got, fmt.Sprintf("%s:%v", c.Name, c.Kind))
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s: %s, want %s\n%s", x.name, strings.Join(got, " "), x.want, strings.Join(record.Texts(p.Notes), "\n"))
		}
	}
	if _, err := Open(context.Background(), []string{write(t, "t.csv", []byte(scale))}, Options{Reading: record.Reading{Columns: []string{"z*=counts"}}}, new(record.Problems)); err == nil || !strings.Contains(err.Error(), "z*") {
		t.Errorf("a column that is not there: %v", err)
	}
}
