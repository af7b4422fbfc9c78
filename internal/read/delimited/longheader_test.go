package delimited_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
)

// A header of megabytes is a header, and all of it.
func TestLongHeader(t *testing.T) {
	const columns = 60_000
	var b strings.Builder
	b.WriteString("id")
	for j := range columns {
		fmt.Fprintf(&b, ",a_rather_long_name_of_a_column_%d", j)
	}
	for i := range 6 {
		fmt.Fprintf(&b, "\nr%d", i)
		for j := range columns {
			b.WriteString([]string{",0", ",1"}[i*j/7%2])
		}
	}
	b.WriteString("\n")
	p, err := delimited.Survey(t.Context(), source.Bytes("wide.csv", []byte(b.String())), delimited.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !p.Header || len(p.Columns) != columns+1 || p.Rows != 6 || p.Ragged != 0 {
		t.Errorf("header %v, %d columns, %d rows, %d ragged", p.Header, len(p.Columns), p.Rows, p.Ragged)
	}
}
