package table

import (
	"bytes"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/result"
	"github.com/moiety-go/moiety/bank/sets"
	"github.com/moiety-go/moiety/bank/split"
)

// someSets is one set of each sort, and a law.
func someSets() []result.Draw {
	told := answer(0, false, 0.9)
	one := func(name string, kind law.Kind, groups int, alone result.Answer) result.Draw {
		d := result.Draw{Hand: sets.Hand, Law: name, Kind: kind, Part: split.Choose, N: 100, Seed: 1, Records: 100, Groups: groups, Alone: alone}
		if groups > 1 {
			d.Told = &told
		}
		return d
	}
	right, short, cut, whole := answer(3, true, 0.94), answer(1, false, 0), answer(2, false, 0), answer(1, true, 0)
	right.Shown, short.Shown, cut.Shown, whole.Shown = 3, 4, 2, 1
	short.Low, short.High = 1, 4
	return []result.Draw{
		one("right", law.Counts, 3, right),
		one("short", law.Counts, 4, short),
		one("cut", law.Ordered, 1, cut),
		one("whole", law.Ordered, 1, whole),
		{Hand: "h", Law: "a law", Kind: law.Texts, Part: split.Choose, N: 300, Seed: 1, Groups: 1, Alone: whole},
	}
}

func TestWriteSets(t *testing.T) {
	peers := map[string][]sets.Peer{
		"right": {{Method: "k-means", Role: sets.Alone, Groups: 2, ARI: 0.5}, {Method: "Ward", Role: sets.Told, Groups: 3, ARI: 0.8}, {Method: "classifier", Role: sets.Taught, ARI: 0.95}},
		"short": {{Method: "k-means", Role: sets.Alone, Groups: 9, ARI: 0.3}, {Method: "HDBSCAN", Role: sets.Alone, Groups: 2, ARI: 0.4}, {Method: "classifier", Role: sets.Taught, ARI: 0.5}},
		"cut":   {{Method: "k-means", Role: sets.Alone, Groups: 2}},
	}
	var out bytes.Buffer
	WriteSets(&out, someSets(), peers)
	for _, want := range []string{
		"| counts | 2 | 1/2 | 1/2 | 2/2 | 2/2 | .94 of 1 | .00 of 1 | .90 of 2 | .72 of 2 | 1/2 | 0, 0 % (0 % to 79 %) |",
		"| ordered | 2 | 1/2 | 1/2 | 1/2 | 1/2 |  |  |  |  | 1/2 |",
		"| all | 4 |",
		"| left alone: k-means | .40 : .47 of 2 |  | .40 : .47 of 2 | 1 : 2 of 2 |\n",
		"| left alone: the best of these, by the classes | .45 : .47 of 2 |",
		"| told: Ward | .80 : .90 of 1 |",
		"| short | counts | 100 | 4 | 1 (1 to 4) | 4 | .00 | .90 | .40, HDBSCAN, 2 |  | .50 | 1.0 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "a law") {
		t.Error("a law stands among the sets")
	}
	if i, j := strings.Index(out.String(), "| cut |"), strings.Index(out.String(), "| right | counts"); i > j {
		t.Error("the worst set does not stand first")
	}
}

func TestWriteNoSets(t *testing.T) {
	var out bytes.Buffer
	WriteSets(&out, some(), nil)
	if out.Len() > 0 {
		t.Errorf("laws alone write %s", out.String())
	}
}
