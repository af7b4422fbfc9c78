package main

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// TestUpdate: new records, a stream of batches and records taken out, as a person
// would do it; the groups are those of one fit.
func TestUpdate(t *testing.T) {
	numtest.NotShort(t)
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands are not run")
	}
	dir := t.TempDir()
	sites(t, dir)
	out, err := shell(t, dir, `
FLAGS='-k 4 --model bernoulli -q'
moiety fit $FLAGS site1.csv -o run > /dev/null
moiety update run site2.csv -o two > told.txt
cat site3.csv | moiety update two - --batch 150 -q > /dev/null
moiety fit $FLAGS pooled.csv -o all > /dev/null
for r in two all; do moiety show $r > $r.txt; done
cmp two/model.moiety all/model.moiety; cmp two/assignments.moiety all/assignments.moiety; cmp two/rows.moiety all/rows.moiety
moiety update two --withdraw s1-3,s2-7 -q > /dev/null
grep -v '^s1-3,\|^s2-7,' pooled.csv > less.csv
moiety fit $FLAGS less.csv -o less > /dev/null
cmp two/model.moiety less/model.moiety; cmp two/rows.moiety less/rows.moiety
if moiety update two --withdraw s1-3 2> gone.txt; then exit 1; fi
if moiety update two 2> none.txt; then exit 1; fi
if moiety update two site3.csv --forget 2 2> far.txt; then exit 1; fi
moiety update run run.csv 2> missing.txt || true
moiety update run site1.csv --forget .5 -o same > same.txt 2> known.txt`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if one, two := siteText(t, dir, "two.txt"), siteText(t, dir, "all.txt"); one != two {
		t.Errorf("after batches\n%s\nat once\n%s", one, two)
	}
	for name, want := range map[string]string{
		"told.txt": "The two runs agree", "gone.txt": `no record "s1-3"`, "none.txt": "nothing to do", "far.txt": "above 0 and up to 1", "same.txt": "in the run already",
	} {
		if text := siteText(t, dir, name); !strings.Contains(text, want) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
