package triplets

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// entriesOf reads lines the obvious way.
func entriesOf(text string, records, features int) (out []string) {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		i, err1 := strconv.Atoi(f[0])
		j, err2 := strconv.Atoi(f[1])
		v, err3 := strconv.Atoi(f[2])
		if err1 == nil && err2 == nil && err3 == nil && i >= 1 && i <= records && j >= 1 && j <= features && v > 0 {
			out = append(out, fmt.Sprint(i-1, j-1, v))
		}
	}
	return out
}

func TestLinesTwin(t *testing.T) {
	const records, features = 12345678, 99999
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var text bytes.Buffer
		i := 1
		for range rng.IntN(3000) {
			i += rng.IntN(2) * rng.IntN(5)
			switch rng.IntN(60 + int(seed)) {
			case 0:
				text.WriteString([]string{"", " ", "x", "1 2", "1 2 3 4", "1 2 3 ", "1  2 3", "\t1 2 3", "1 2 3\r", "1 2 -3", "1 2 3.5", "0 1 1", "1 0 1", "1 1 0", "a b c", "1 2\xb03 4"}[rng.IntN(16)] + "\n")
			case 1:
				fmt.Fprintf(&text, "%d %d %d\n", rng.IntN(20000000), rng.IntN(200000), rng.IntN(1000))
			case 2:
				fmt.Fprintf(&text, "%012d %09d %07d\n", i, 1+rng.IntN(9), 1+rng.IntN(9))
			default:
				fmt.Fprintf(&text, "%d %d %d\n", i, 1+rng.IntN(features), 1+rng.IntN(1+rng.IntN(300)))
			}
		}
		l := &Lines{Records: records, Features: features}
		l.Other = func(line []byte, _ int) {
			if e := entriesOf(string(line), records, features); len(e) == 1 {
				var i, j uint32
				var v float64
				fmt.Sscan(e[0], &i, &j, &v)
				l.Add(i, j, v)
			}
		}
		ends := bytes.Count(text.Bytes(), []byte("\n"))
		if n := l.Scan(text.Bytes(), ends); n != ends {
			t.Fatalf("seed %d: %d lines", seed, n)
		}
		want := entriesOf(text.String(), records, features)
		var got []string
		b := &l.Block
		for r := range b.Runs {
			if r > 0 && b.Runs[r].Record == b.Runs[r-1].Record {
				t.Fatalf("seed %d: two runs of record %d", seed, b.Runs[r].Record)
			}
			for e := b.Runs[r].Start; e < b.End(r); e++ {
				v := 0.0
				if b.Value != nil {
					v = b.Value[e]
				} else {
					v = float64(b.Small[e])
				}
				got = append(got, fmt.Sprint(b.Runs[r].Record, b.Feature[e], v))
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("seed %d: %d entries, want %d", seed, len(got), len(want))
		}
	}
}

// The last line counts without a line end, and has its place among the entries.
func TestLastLineWithoutAnEnd(t *testing.T) {
	for _, text := range []string{"1 2 3\n2 1 4\n", "1 2 3\n2 1 4"} {
		l := &Lines{Records: 9, Features: 9, Other: func(line []byte, _ int) { t.Errorf("%q is left to the caller", line) }}
		n := l.Scan([]byte(text), strings.Count(text, "\n"))
		if b := &l.Block; n != 2 || len(b.Runs) != 2 || b.End(1) != 2 || fmt.Sprint(b.Feature[:2], b.Small[:2]) != "[1 0] [3 4]" {
			t.Errorf("%q: %d lines, %+v", text, n, b)
		}
	}
}
