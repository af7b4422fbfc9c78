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

// lines is a file of one line for each thing that was judged, under a line of its columns.
type lines struct {
	name, head string // of the environment variable; of the columns
	mu         sync.Mutex
}

func (l *lines) path() string { return os.Getenv(l.name) }

// read hands on the cells of every line; there are none where no file is named. A line that
// was cut off does not count.
func (l *lines) read(line func(cell []string) error) error {
	if l.path() == "" {
		return nil
	}
	f, err := os.Open(l.path())
	if errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(l.path(), []byte(l.head+"\n"), 0o644)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	all := bufio.NewScanner(f)
	for all.Scan() {
		cell := strings.Split(all.Text(), "\t")
		if all.Text() == l.head || len(cell) != strings.Count(l.head, "\t")+1 {
			continue
		}
		if err := line(cell); err != nil {
			return fmt.Errorf("%s: %q: %w", l.path(), all.Text(), err)
		}
	}
	return all.Err()
}

// write adds a line.
func (l *lines) write(line string) error {
	if l.path() == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := os.OpenFile(l.path(), os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// keptName names the file of draws that were judged, one a line (see seedName).
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
	lines
	known map[drawn]Case
}

// openLedger reads the file of draws, where one is named.
func openLedger() (*ledger, error) {
	l := &ledger{lines: lines{name: keptName, head: keptHead}, known: map[drawn]Case{}}
	return l, l.read(func(cell []string) error {
		c := Case{Law: Law{Name: cell[0]}, Why: cell[12]}
		_, err := fmt.Sscan(strings.Join(cell[3:12], " "), &c.N, &c.Seed, &c.Claim, &c.Range[0], &c.Range[1], &c.Sure, &c.ARI, &c.Given, &c.Seconds)
		l.known[c.key()] = c
		return err
	})
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
	return l.write(fmt.Sprintf("%s\t%d\t%v\t%d\t%d\t%d\t%d\t%d\t%v\t%.4f\t%.4f\t%.3f\t%s", c.Law.Name, c.Law.Groups, c.Law.Hard, c.N, c.Seed,
		c.Claim, c.Range[0], c.Range[1], c.Sure, c.ARI, c.Given, c.Seconds, c.Why))
}
