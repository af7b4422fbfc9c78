package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// untrue is what no page, help or file beside sums may say: that nobody reads the sums of
// a site but all together. The keys are the coordinator's to hand out.
var untrue = regexp.MustCompile(`(?i)need\s+not\s+be\s+trusted|hide\s+each\s+other|learns\s+nothing|only\s+the\s+total|(sums|they) are hidden[:;.]|sums are\s+hidden by|` +
	`solo se puede leer el total|están ocultas`)

// TestWordsOfSites: what is said of sums between sites says who can read them; a list of
// one site gets no page that calls them hidden, for it gets no sums.
func TestWordsOfSites(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands are not run")
	}
	dir := t.TempDir()
	sites(t, dir)
	out, err := shell(t, dir, `
flags='-k 2 --model bernoulli -q'
for s in 1 2 3; do moiety moments site$s.csv $flags -o site$s.mom; done
cp site1.txt first.txt
moiety merge site1.mom -o one.mom -q
if moiety moments site1.csv $flags --with one.mom --key site1.key -o bare.mom 2> one.txt; then exit 1; fi
[ ! -e bare.mom ] && [ ! -e bare.txt ]
moiety merge site1.mom site2.mom site3.mom -o all.mom -q
moiety moments site1.csv $flags --with all.mom -o second.mom --key site1.key
head -200 site1.csv > fewer.csv
if moiety moments fewer.csv $flags --with all.mom -o third.mom --key site1.key --site site1 2> other.txt; then exit 1; fi
for s in 1 2 3; do moiety moments site$s.csv $flags --open -o open$s.mom; done
moiety merge open1.mom open2.mom open3.mom -o openly.mom -q
if moiety moments site1.csv $flags --with openly.mom --key open1.key -o bare.mom 2> open.txt; then exit 1; fi
if moiety study new two --sites 2 -k 2 2> two.txt; then exit 1; fi
moiety study new hf --sites 3 -k 2 -q
moiety study new bare --sites 3 -k 2 --open -q
if moiety study join bare site1.csv --site A 2> joined.txt; then exit 1; fi
moiety study join bare site1.csv --site A --open -q
moiety study new noisy --sites 3 -k 2 --epsilon 1 -q
for verb in moments merge fit "study new" "study join" "study round" "study close"; do moiety $verb --help >> man.txt; done`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, wants := range map[string][]string{
		"one.txt": {"1 site with records"}, "two.txt": {"each has the sums of the other"}, "other.txt": {"sent other sums for round 1"},
		"open.txt": {"asks for open sums"}, "joined.txt": {"--open"}, "first.txt": {"stand by name"},
		"second.txt":      {"a coordinator who puts keys of his own", "counts of few people", "one token"},
		"hf/study.txt":    {"coordinator who puts keys of his own", "counts of few people", "one token"},
		"noisy/study.txt": {"with the part of the noise", "one token"}, "bare/study.txt": {"whoever gets a file of a site can read", "one token"},
		"man.txt": {"keys of his own", "fewer than three sites with records"},
	} {
		text := strings.Join(strings.Fields(siteText(t, dir, name)), " ")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
		if found := untrue.FindString(text); found != "" {
			t.Errorf("%s says %q", name, found)
		}
	}
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, "../../README.md", "../../internal/web/assets/en.json", "../../internal/web/assets/es.json", "../../python/README.md", "../../r/README.md") {
		if found := untrue.FindString(siteText(t, "", path)); found != "" {
			t.Errorf("%s says %q", path, found)
		}
	}
}
