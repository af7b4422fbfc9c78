package run

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/pass"
)

// Leaving says in plain words what a file of a site holds: a page for whoever
// must know what leaves the house.
type Leaving struct {
	Round int
	lines []string
}

// Text returns the page.
func (l *Leaving) Text() string { return strings.Join(l.lines, "\n") + "\n" }

func (l *Leaving) say(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// leavingNames tells of the first file.
func leavingNames(t offered, dropped, limit int, site string) *Leaving {
	l := &Leaving{}
	l.say("What leaves the house in the first file of %s", site)
	l.say("")
	l.say("In words that everybody who gets the file can read:")
	l.say("- the name of this site, and a public key by which its later sums are hidden;")
	l.say("- the settings of the study;")
	if t.Empty {
		l.say("- that this site has no record: it takes part, and adds nothing.")
		return l
	}
	l.say("- what the records are (%s, read as %s), and the names of %s.", t.Plan.Kind, t.Format, count(len(t.Names), "feature"))
	l.say("")
	if limit > 0 {
		l.say("A name is told only if at least %d records here have it; %s.", limit, left(dropped))
	}
	l.say("Not in the file: any record, any id, any count, the number of records, the names of files.")
	l.say("")
	l.say("The names:")
	for _, name := range t.Names {
		l.say("  %s", name)
	}
	return l
}

func left(n int) string {
	if n == 0 {
		return "none was left out"
	}
	return "rarer ones were left out"
}

// NewLeaving tells of the file of a later round: so many numbers of a site, open or
// hidden, in a study of so many sites.
func NewLeaving(r pass.Round, number, numbers int, open bool, sites int, site string) *Leaving {
	l := &Leaving{Round: number}
	l.say("What leaves the house in round %d of %s", number, site)
	l.say("")
	l.say("Of this site: %s, each a sum over all of its records: %s.", count(numbers, "number"), Plainly(r.Name))
	l.say("In the words of the program: %s, and a 1 that says that all is well.", r.Name)
	private := strings.Contains(r.Name, noised)
	if private {
		l.say("Noise was laid over them before they left, so that what one person adds cannot be told (differential privacy).")
	}
	if open && private {
		l.say("They are not hidden otherwise: whoever gets the file can read them, with their noise.")
	} else if open {
		l.say("They are not hidden: whoever gets the file can read them. Among them are counts; of health data those below")
		l.say("the limit were left out, and stand there as 0.")
	} else {
		l.say("They are hidden: to each a random number was added that the other sites take away from theirs (%s take part).", count(sites, "site"))
		l.say("Whoever gets this file alone learns nothing from them; the total of all sites is what can be read, and only when all are added up.")
		if sites == 2 {
			l.say("Of two sites each can take its own sums from the total and has those of the other: three or more sites hide each other.")
		}
	}
	l.say("Besides: what the first files of all sites told, and the totals of the rounds before, which every site has.")
	l.say("Not in the file: any record, any id, the names of files.")
	l.say("")
	if private {
		l.say("What this does not promise: the names of features, told in the first file, are taken to be public. Another study over")
		l.say("the same people is another release: what is promised of both together is weaker, by the sum of their ε at most.")
		return l
	}
	l.say("What this does not promise: somebody who gets the totals of very many rounds, or of two studies that differ by")
	l.say("one person, may work out something about that person by solving equations. Only differential privacy rules that")
	l.say("out, and this is none. The totals are for those who take part; what is published is made from them by the report.")
	return l
}
