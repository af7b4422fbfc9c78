package delimited

import (
	"strings"
	"testing"
)

// A quoted cell that goes on in one line is never cut, however long; one that goes on
// over lines for so long is a quote that was never closed.
func TestLongCellsAreWhole(t *testing.T) {
	cut := wholeRecords(dialect{sep: ','})
	long := strings.Repeat("x", maxQuoted+10)
	if n := cut([]byte("1,2\n3,\""+long), false); n != 4 {
		t.Errorf("cut at %d, want 4", n)
	}
	if n := cut([]byte("1,2\n3,\"a\n"+long+"\n4,5"), false); n <= 4 {
		t.Errorf("cut at %d: a quote that is never closed holds all that follows", n)
	}
}

// A number that continues the numbering below is no name of its column.
func TestNumberedRowsHaveNoHeader(t *testing.T) {
	rows := [][]string{{"0", "doc0", "fever and pain"}, {"1", "doc1", "home and rest"}, {"2", "doc2", "walk and sleep"}, {"3", "doc3", "night and day"}}
	if sniffHeader(rows, '.') {
		t.Error("the first record is a header")
	}
	rows[0][0] = "7"
	if !sniffHeader(append(rows[:1:1], []string{"100", "a", "x"}, []string{"200", "b", "x"}, []string{"300", "a", "y"}, []string{"100", "b", "y"}), '.') {
		t.Error("a number of another size is no header")
	}
}
