package uci

import (
	"bytes"
	"context"
	"strconv"

	"github.com/moiety-go/moiety/internal/read/source"
)

// sampleBytes is how much of a file is looked at for the number it counts from.
const sampleBytes = 256 << 10

// base tells from which number a file counts.
type base struct {
	first int  // 1, or 0
	sure  bool // the largest number of the header was seen, so it is 1
}

// findBase finds the number that documents and words are counted from. It is 1;
// a 0 in either column among the first lines means 0, unless the largest number
// stands there too, which is one too many for a count from 0.
func findBase(ctx context.Context, in source.Input, h header) (base, error) {
	head, err := in.Head(ctx, sampleBytes)
	if err != nil && len(head) == 0 {
		return base{first: 1}, err
	}
	b := base{first: 1}
	zero := false
	if !bytes.Contains(head, []byte("\n0 ")) && !bytes.Contains(head, []byte(" 0 ")) && !bytes.Contains(head, []byte("0\t")) {
		return b, nil
	}
	for number := 0; len(head) > 0; number++ {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte{'\n'})
		fields := bytes.Fields(line)
		if number < headerLines || len(fields) != 3 {
			continue
		}
		doc, err1 := strconv.Atoi(string(fields[0]))
		word, err2 := strconv.Atoi(string(fields[1]))
		if err1 != nil || err2 != nil {
			continue
		}
		zero = zero || doc == 0 || word == 0
		b.sure = b.sure || doc == h.docs || word == h.words
	}
	if zero && !b.sure {
		b.first = 0
	}
	return b, nil
}
