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
	// NewKey is what the file of the site's key is to hold, of a key that was made; else nil.
	NewKey []byte
	lines  []string
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
	l.say("- the name of this site, and a public key, by which masks for its later sums are made;")
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
	l.say("Not in the file: any record, any id, any count, the number of records, the names of files. The names stand by name,")
	l.say("and not as records have them; the columns of a table as its head names them.")
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
// masked, in a study of so many sites.
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
	open = open || sites < FewestSites
	if open {
		l.bare(private)
	} else {
		l.masked(sites, private)
	}
	l.say("Besides: what the first files of all sites told, and the totals of the rounds before, which every site has.")
	l.say("Not in the file: any record, any id, the names of files.")
	l.say("")
	l.unpromised(open, private)
	return l
}

// bare tells of numbers without a mask.
func (l *Leaving) bare(private bool) {
	if private {
		l.say("They have no mask: whoever gets the file can read them, with their noise.")
		return
	}
	l.say("They have no mask: whoever gets the file can read them. Among them are counts; of health data those below")
	l.say("the limit were left out, and stand there as 0.")
}

// masked tells of numbers with one: who can read what.
func (l *Leaving) masked(sites int, private bool) {
	l.say("They are hidden behind a mask: to each a random number was added that the other sites take away from theirs")
	l.say("(%s take part). This file alone shows nothing of them to whoever has the key of none of these sites.", count(sites, "site"))
	if private {
		l.say("The total of all sites can be read by all who take part and by the coordinator, with its noise.")
		return
	}
	l.say("The total of all sites can be read by all who take part and by the coordinator, exactly: counts of few people too.")
}

// unpromised tells what is not promised.
func (l *Leaving) unpromised(open, private bool) {
	l.say("What this does not promise:")
	if !open {
		l.say("- The masks are made with the keys in the list of sites, which the coordinator hands out. Nobody has checked whose")
		l.say("  they are: a coordinator who puts keys of his own in their place reads the sums of this site alone, and so do all")
		l.say("  other sites together. That they have records is what they say themselves.")
	}
	if !open && private {
		l.say("  Where sites add one noise together, he reads them with the part of the noise that this site added.")
	}
	l.say("- Over the network all sites have one token: whoever has it can send in the name of another.")
	if private {
		l.say("- The names of features, told in the first file, are taken to be public. Another study over the same people is")
		l.say("  another release: what is promised of both together is weaker, by the sum of their ε at most.")
		return
	}
	l.say("- Somebody who gets the totals of very many rounds, or of two studies that differ by one person, may work out")
	l.say("  something about that person by solving equations. Only differential privacy rules that out, and this is none.")
	l.say("The totals are for those who take part; what is published is made from them by the report.")
}
