package encode

import (
	"context"
	"strings"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/par"
)

// namesAtOnce are so many names that one worker looks at at a time.
const namesAtOnce = 1 << 12

// asCodes reads all features as codes: without the marks of their version, and how many
// have which mark.
func (e *encoder) asCodes() (raw []string, marked map[codes.System]int) {
	names := e.raw.Names()
	raw, marked = make([]string, len(names)), map[codes.System]int{}
	system := make([]codes.System, len(names))
	_ = par.Blocks(context.Background(), e.s.Workers, len(names), namesAtOnce, func(_, lo, hi int) error { // nothing fails
		for i := lo; i < hi; i++ {
			system[i], raw[i] = codes.Cut(strings.TrimSpace(names[i]))
		}
		return nil
	})
	for _, s := range system {
		if s != "" {
			marked[s]++
		}
	}
	return raw, marked
}

// vote asks the different codes what they look like.
func (e *encoder) vote(raw []string) codes.Vote {
	keys := make([]string, len(raw))
	_ = par.Blocks(context.Background(), e.s.Workers, len(raw), namesAtOnce, func(_, lo, hi int) error { // nothing fails
		for i := lo; i < hi; i++ {
			keys[i] = codes.Normalize(raw[i])
		}
		return nil
	})
	return codes.Elect(unique(keys, e.s.Workers), e.s.Titles, e.s.Workers)
}

// unique returns the different ones of a list, in the order in which they come first. Equal
// ones end alike: those of every kind of end are compared by themselves.
func unique(list []string, workers int) []string {
	ends := max(1, min(16, len(list)/namesAtOnce))
	again := make([]bool, len(list))
	_ = par.Do(context.Background(), workers, ends, func(end int) error { // nothing fails
		seen := make(map[string]bool, len(list)/ends)
		for i, s := range list {
			if len(s) == 0 && end == 0 || len(s) > 0 && int(s[len(s)-1])%ends == end {
				again[i] = seen[s]
				seen[s] = true
			}
		}
		return nil
	})
	var out []string
	for i, s := range list {
		if !again[i] {
			out = append(out, s)
		}
	}
	return out
}
