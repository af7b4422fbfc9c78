package verdict

import (
	"fmt"
	"strings"
)

// pairsName names the file of pairs that were judged, one a line (see seedName).
const pairsName = "MOIETY_PAIRS"

// pairsHead are the columns of the file.
var pairsHead = func() string {
	var b strings.Builder
	b.WriteString("law\ttruth\thard\tn\tseed\talike")
	for i := range 2 {
		fmt.Fprintf(&b, "\tk%[1]d\tlow%[1]d\thigh%[1]d\tsure%[1]d\trepeat%[1]d\tnats%[1]d\terr%[1]d\tfewer%[1]d\tfewererr%[1]d\tfeatures%[1]d\tcomp%[1]d\tleast%[1]d\tkind%[1]d\tagainst%[1]d", i)
	}
	return b.String()
}()

// pairLedger are the pairs that were judged before, and where new ones are written.
type pairLedger struct {
	lines
	known map[drawn]Pair
}

func openPairs() (*pairLedger, error) {
	l := &pairLedger{lines: lines{name: pairsName, head: pairsHead}, known: map[drawn]Pair{}}
	return l, l.read(func(cell []string) error {
		p := Pair{Law: Law{Name: cell[0]}}
		var range0 [2]int
		_, err := fmt.Sscan(strings.Join(append(cell[3:10:10], cell[20]), " "), &p.N, &p.Seed, &p.Alike, &p.K[0], &range0[0], &range0[1], &p.Sure, &p.K[1])
		l.known[p.key()] = p
		return err
	})
}

func (p Pair) key() drawn { return drawn{p.Law.Name, p.N, p.Seed} }

// take fills in what is known of a pair.
func (l *pairLedger) take(p *Pair) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was, ok := l.known[p.key()]
	if ok {
		was.Law = p.Law
		*p = was
	}
	return ok
}

func (l *pairLedger) put(p Pair) error { return l.write(p.line) }
