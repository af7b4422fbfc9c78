package delimited

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Wherever a file with quotes is cut into chunks, it is cut between records.
func TestChunksHoldWholeRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	parts := []string{`word`, `""`, `,`, `,""`, `"" `, ` `, "\n", `1.5`}
	var text []byte
	starts := map[int]bool{}
	for i := range 400 {
		starts[len(text)] = true
		text = fmt.Appendf(text, `"p%d",%d,"`, i, r.IntN(99))
		for range r.IntN(12) {
			text = append(text, parts[r.IntN(len(parts))]...)
		}
		text = fmt.Appendf(text, "\",%d.25,end\n", i)
	}
	split := wholeRecords(dialect{sep: ','})
	for n := 1; n < len(text); n++ {
		if at := split(text[:n:n], false); at != 0 && !starts[at] {
			t.Fatalf("of %d bytes it is cut at %d, in the middle of a record: %q", n, at, text[max(0, at-40):at])
		} else if n-at > 200 {
			t.Fatalf("of %d bytes only %d are whole records: %q", n, at, bytes.ReplaceAll(text[at:n], []byte("\n"), []byte("⏎")))
		}
	}
}

// Rows above the records are counted over portions and blank lines, no more than are asked for.
func TestUpTo(t *testing.T) {
	title := strings.Repeat("x", portionSize/3)
	data := []byte(strings.Repeat(title+"\n\n", 7) + "\"a\nb\",c\nd,e\n")
	for n := range 12 {
		if got := upTo(n, data, dialect{sep: ','}); got != min(n, 9) {
			t.Errorf("%d of the first %d rows", got, n)
		}
	}
}
