package verdict

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// keptName names the file of draws that were judged, one a line. What stands there is
// not judged again, so that a long table can be made in pieces, beside each other or on
// other machines, and made up of their lines at the end.
const keptName = "MOIETY_DRAWS"

// keptHead are the columns of the file.
const keptHead = "law\tgroups\thard\tn\tseed\tclaim\tlow\thigh\tsure\tari\ttold\tseconds\tcontinuum"

type drawn struct {
	law  string
	n    int
	seed uint64
}

// ledger are the draws that were judged before, and where new ones are written.
type ledger struct {
	mu    sync.Mutex
	name  string
	known map[drawn]Case
}

// openLedger reads the file of draws, where one is named.
func openLedger() (*ledger, error) {
	l := &ledger{name: os.Getenv(keptName), known: map[drawn]Case{}}
	if l.name == "" {
		return l, nil
	}
	f, err := os.Open(l.name)
	if errors.Is(err, fs.ErrNotExist) {
		return l, os.WriteFile(l.name, []byte(keptHead+"\n"), 0o644)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		cell := strings.Split(lines.Text(), "\t")
		if lines.Text() == keptHead || len(cell) != strings.Count(keptHead, "\t")+1 { // a line that was cut off
			continue
		}
		c := Case{Law: Law{Name: cell[0]}, Why: cell[12]}
		if _, err := fmt.Sscan(strings.Join(cell[3:12], " "), &c.N, &c.Seed, &c.Claim, &c.Range[0], &c.Range[1], &c.Sure, &c.ARI, &c.Told, &c.Seconds); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", l.name, lines.Text(), err)
		}
		l.known[c.key()] = c
	}
	return l, lines.Err()
}

func (c Case) key() drawn { return drawn{c.Law.Name, c.N, c.Seed} }

// take fills in what is known of a draw.
func (l *ledger) take(c *Case) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was, ok := l.known[c.key()]
	if ok {
		was.Law, was.walk = c.Law, c.walk
		*c = was
	}
	return ok
}

// put writes a draw that was judged.
func (l *ledger) put(c Case) error {
	if l.name == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := os.OpenFile(l.name, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s\t%d\t%v\t%d\t%d\t%d\t%d\t%d\t%v\t%.4f\t%.4f\t%.3f\t%s\n", c.Law.Name, c.Law.Groups, c.Law.Hard, c.N, c.Seed,
		c.Claim, c.Range[0], c.Range[1], c.Sure, c.ARI, c.Told, c.Seconds, c.Why)
	return errors.Join(err, f.Close())
}
