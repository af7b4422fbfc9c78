package kernel

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// lines returns n lines of three numbers, some of them something else.
func lines(r *rand.Rand, n int) (text []byte) {
	odd := []string{
		"", " ", "x", "1 2", "1 2 3 4", "1 2 3 ", "1  2 3", " 1 2 3", "1 2 3\r", "1 2 -3", "1 2 3.5", "0 1 1", "1 0 1", "1 1 0",
		"a b c", "1 2\xb03 4", "1 2 256", "1 2 255", "00000001 002 0003", "123456789 1 1", "12345678 1 1", "1234567 9999999 1", "1 12345678901 1",
		"1/2 3 4", "1: 2 3", "4294967297 1 1",
	}
	for i := range n {
		if r.IntN(30) == 0 {
			text = append(append(text, odd[r.IntN(len(odd))]...), '\n')
			continue
		}
		text = fmt.Appendf(text, "%d %d %d\n", 1+i/(1+r.IntN(20)), 1+r.IntN(1<<r.IntN(20)), 1+r.IntN(1<<r.IntN(9)))
	}
	return text
}

// ends returns the places of blanks and line ends, with NoNumber in front.
func ends(text []byte) []uint32 {
	return Places([]uint32{NoNumber}, text, [2]byte{' ', '\n'})
}

// obvious takes the line with the given ends, in the way of a schoolbook.
func (t *Triples) obvious(text []byte, e []uint32, i int) bool {
	var n [3]uint32
	for k := range n {
		field := string(text[e[k]+1 : e[k+1]])
		v, err := strconv.ParseUint(field, 10, 32)
		if err != nil || len(field) > 8 || text[e[k+1]] != "  \n"[k] {
			return false
		}
		n[k] = uint32(v) - 1
	}
	if n[0] >= t.Records || n[1] >= t.Features || n[2] >= 255 {
		return false
	}
	if n[0] != t.Last[0] {
		t.Start, t.Record = append(t.Start, uint32(i)), append(t.Record, n[0])
	}
	t.Falls = t.Falls || n[0] == t.Last[0] && n[1] <= t.Last[1]
	t.Last = [2]uint32{n[0], n[1]}
	t.Feature[i], t.Small[i] = n[1], uint8(n[2]+1)
	return true
}

func TestTriples(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 6))
			text := lines(r, r.IntN(200))
			all := ends(text)
			fresh := func() *Triples {
				return &Triples{
					Records: 12345678, Features: 1 << (10 + seed%14), Last: [2]uint32{NoNumber, NoNumber},
					Feature: make([]uint32, len(all)/3), Small: make([]uint8, len(all)/3),
				}
			}
			got, want := fresh(), fresh()
			for at := 0; at+3 < len(all); {
				n := got.Scan(text, all[at:])
				for i := range n {
					if !want.obvious(text, all[at+3*i:], i) {
						t.Fatalf("seed %d: took line %d of %q", seed, i, text[all[at]+1:])
					}
				}
				if !slices.Equal(got.Feature, want.Feature) || !slices.Equal(got.Small, want.Small) || !slices.Equal(got.Start, want.Start) ||
					!slices.Equal(got.Record, want.Record) || got.Last != want.Last || got.Falls != want.Falls {
					t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
				}
				if at += 3 * n; at+3 < len(all) && n < len(got.Feature) && want.obvious(text, all[at:], n) {
					t.Fatalf("seed %d: refused line %d", seed, n)
				}
				for at++; at < len(all) && text[all[at]] != '\n'; at++ { // behind the line that was refused
				}
				got.Start, got.Record, want.Start, want.Record = nil, nil, nil, nil
				got.Falls, want.Falls, want.Last = false, false, got.Last
			}
		}
	})
}

// TestTriplesFull takes as many lines as there is room.
func TestTriplesFull(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		var text []byte
		for i := range 100 {
			text = fmt.Appendf(text, "%d %d %d\n", 1000, 1+i, 1+i)
		}
		for buffer := range 40 {
			tr := &Triples{Records: 1000, Features: 1000, Feature: make([]uint32, buffer), Small: make([]uint8, buffer)}
			if n := tr.scanFast(text, ends(text)[3:], 0, buffer); active == avx512 && n != buffer&^7 {
				t.Fatalf("the kernel takes %d of %d lines", n, buffer)
			}
			tr.Start, tr.Record, tr.Falls = nil, nil, false
			tr.Last = [2]uint32{}
			if n := tr.Scan(text, ends(text)); n != buffer {
				t.Fatalf("%d lines in room for %d", n, buffer)
			}
			if want := []uint32{0}; buffer > 0 && (!reflect.DeepEqual(tr.Start, want) || tr.Falls) {
				t.Fatalf("starts %v, falls %v", tr.Start, tr.Falls)
			}
		}
	})
}

// The last word of the vocabulary is read, the one behind it is not.
func TestTriplesByHand(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for line, taken := range map[string]int{"3 5 1\n": 1, "3 6 1\n": 0, "4 5 1\n": 0, "3 5 255\n": 1, "3 5 256\n": 0, "0 5 1\n": 0} {
			tr := &Triples{Records: 3, Features: 5, Last: [2]uint32{NoNumber, NoNumber}, Feature: make([]uint32, 1), Small: make([]uint8, 1)}
			if got := tr.Scan([]byte(line), ends([]byte(line))); got != taken {
				t.Errorf("%q: %d lines were taken, want %d", line, got, taken)
			}
		}
	})
}
