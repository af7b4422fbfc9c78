package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// sites writes three tables of presences, whose groups are mixed otherwise at
// each site, and all of them in one.
func sites(t *testing.T, dir string) {
	t.Helper()
	const d, k = 20, 4
	r := stream.New(5, "sites")
	head := "id"
	for h := range d {
		head += fmt.Sprint(",x", h)
	}
	all := head + "\n"
	for s, n := range []int{900, 500, 200} {
		var text strings.Builder
		for i := range n {
			z := (r.IntN(k) * (1 + s)) % k
			if r.IntN(2) == 0 {
				z = (s + r.IntN(2)) % k
			}
			fmt.Fprintf(&text, "s%d-%d", s+1, i)
			for h := range d {
				p := .1
				if h%k == z || h/5 == z {
					p = .8
				}
				fmt.Fprintf(&text, ",%d", map[bool]int{true: 1}[r.Float64() < p])
			}
			text.WriteString("\n")
		}
		all += text.String()
		write(t, filepath.Join(dir, fmt.Sprintf("site%d.csv", s+1)), head+"\n"+text.String())
	}
	write(t, filepath.Join(dir, "pooled.csv"), all)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// block returns the commands of docs/federated.md.
func block(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/federated.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```bash\n(FLAGS='.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(m) != 1 {
		t.Fatalf("%d blocks that begin with FLAGS=, want 1", len(m))
	}
	return m[0][1]
}

// shell runs commands with this program as moiety, and returns what they print.
func shell(t *testing.T, dir, text string) (string, error) {
	t.Helper()
	c := exec.Command("bash", "-euo", "pipefail", "-c", text)
	c.Dir = dir
	out, err := c.CombinedOutput()
	return string(out), err
}

// TestFederated runs the block of docs/federated.md: the centers are those of
// one machine with all records, every record is placed alike at its site, and so
// is the report. Files that must not be merged are refused by name.
func TestFederated(t *testing.T) {
	numtest.NotShort(t)
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands of docs/federated.md are not run")
	}
	dir := t.TempDir()
	sites(t, dir)
	if out, err := shell(t, dir, block(t)); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := shell(t, dir, `
moiety fit -k 4 --model bernoulli pooled.csv -o POOLED -q > pooled.txt
moiety assign POOLED pooled.csv -q > pooled.places
for s in 1 2 3; do moiety assign RUN site$s.csv -q > site$s.places; done
moiety show RUN > run.report; moiety show POOLED > pooled.report
for r in RUN POOLED; do moiety export $r --to csv -o $r.csv -q; done`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a, b := siteRows(t, dir, "RUN.csv/centers.csv"), siteRows(t, dir, "POOLED.csv/centers.csv")
	for i := range b {
		for j := range b[i] {
			x, err1 := strconv.ParseFloat(a[i][j], 64)
			y, err2 := strconv.ParseFloat(b[i][j], 64)
			if a[i][j] != b[i][j] && (err1 != nil || err2 != nil || !(math.Abs(x-y) <= 1e-9)) {
				t.Errorf("centers, row %d: %s, want %s", i, a[i][j], b[i][j])
			}
		}
	}
	placed := map[string]string{}
	for s := 1; s <= 3; s++ {
		for _, row := range siteRows(t, dir, fmt.Sprintf("site%d.places", s)) {
			placed[row[0]] = row[1]
		}
	}
	for _, row := range siteRows(t, dir, "pooled.places") {
		if placed[row[0]] != row[1] {
			t.Errorf("record %s goes to %s, with all records in one place to %s", row[0], placed[row[0]], row[1])
		}
	}
	// Lines of features are of class parameters where all records are here, and of
	// counts in totals; those of groups are the same.
	feature := regexp.MustCompile(`(?m)^   .*\n`)
	if one, two := siteText(t, dir, "run.report"), siteText(t, dir, "pooled.report"); feature.ReplaceAllString(one, "") != feature.ReplaceAllString(two, "") {
		t.Errorf("the report of totals is\n%s\nthat of all records\n%s", one, two)
	}
	if page := siteText(t, dir, "site1.txt"); !strings.Contains(page, "What leaves the house") || strings.Contains(page, "s1-") {
		t.Errorf("the page beside the sums:\n%s", page)
	}
	refusals(t, dir)
}

// TestStudyBlock runs the study of docs/federated.md: its report is that of one
// machine, and nothing of a site's home is in the folder of the study.
func TestStudyBlock(t *testing.T) {
	numtest.NotShort(t)
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands of docs/federated.md are not run")
	}
	dir := t.TempDir()
	sites(t, dir)
	doc := siteText(t, "../../docs", "federated.md")
	m := regexp.MustCompile("(?s)```bash\n(moiety study new.*?)```").FindStringSubmatch(doc)
	if m == nil {
		t.Fatal("no study in docs/federated.md")
	}
	out, err := shell(t, dir, m[1]+`
moiety fit -k 4 --tree --model bernoulli pooled.csv -o POOLED -q > pooled.txt
moiety show RUN > run.report; moiety show POOLED > pooled.report
moiety study round Bergen.site 2> again.txt
moiety study join hf site1.csv --site Bergen 2> twice.txt && exit 1
moiety study close hf -o RUN 2> there.txt && exit 1
moiety compare RUN POOLED 2> compare.txt && exit 1
moiety compare bergen POOLED > bergen.txt 2>&1
cat Bergen.site/key | tr -d '\n' > key; ! grep -rqf key hf RUN`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if one, two := siteText(t, dir, "run.report"), siteText(t, dir, "pooled.report"); one != two {
		t.Errorf("the report of the study is\n%s\nthat of all records\n%s", one, two)
	}
	for name, want := range map[string]string{"again.txt": "nothing more is asked", "twice.txt": "is there already", "compare.txt": "holds no records", "bergen.txt": "agree"} {
		if text := siteText(t, dir, name); !strings.Contains(text, want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestJudgedBlock runs the study of docs/federated.md that is not given the number of
// groups: its report is that of one machine that judges by sums.
func TestJudgedBlock(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands of docs/federated.md are not run")
	}
	if os.Getenv("MOIETY_LONG") == "" {
		t.Skip("some 500 rounds of files are for the long form (MOIETY_LONG=1); fit.TestJoinedVerdict has them in memory")
	}
	dir := t.TempDir()
	sites(t, dir)
	m := regexp.MustCompile("(?s)```bash\n(moiety study new judged.*?)```").FindStringSubmatch(siteText(t, "../../docs", "federated.md"))
	if m == nil {
		t.Fatal("no study without -k in docs/federated.md")
	}
	out, err := shell(t, dir, `
for site in 1 2 3; do # some of the records and features: every round is a file of each site
  awk -F, 'NR == 1 || NR % 2 == 0' site$site.csv | cut -d, -f1-9 > small && mv small site$site.csv
done
(head -1 site1.csv; for site in 1 2 3; do tail -n +2 site$site.csv; done) > pooled.csv
`+strings.ReplaceAll(m[1], " --wait", " --wait -q")+`
moiety fit --double pooled.csv -o POOLED -q > pooled.txt
for r in JUDGED POOLED; do moiety show $r | sed '/^To keep in mind/,$d' > $r.report; done
grep -q "judge how many groups" site1.site/sent.csv`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if one, two := siteText(t, dir, "JUDGED.report"), siteText(t, dir, "POOLED.report"); one != two || !strings.Contains(one, "kept aside") {
		t.Errorf("the report of the study is\n%s\nthat of all records\n%s", one, two)
	}
}

// TestJudgedSequences: three sites that are not told how many states their sequences have
// come to the report of one machine that judges by sums, tables of steps and all.
func TestJudgedSequences(t *testing.T) {
	numtest.NotShort(t)
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands are not run")
	}
	dir := t.TempDir()
	r, head := stream.New(11, "sites/sequences"), "id,t,event\n"
	all := head
	for s, n := range []int{70, 50, 30} {
		text := ""
		for i := range n {
			state := r.IntN(1 + s)
			for step := range 6 + i%5 {
				text += fmt.Sprintf("s%d-%02d,%d,%s\n", s+1, i, step, []string{"home", "ward", "ICU"}[state])
				if r.Float64() < .3 {
					state = (state + 1) % 3
				}
			}
		}
		all += text
		write(t, filepath.Join(dir, fmt.Sprintf("site%d.csv", s+1)), head+text)
	}
	write(t, filepath.Join(dir, "pooled.csv"), all)
	out, err := shell(t, dir, `
how="--format sequences --id id --time t"
moiety study new judged --sites 3 --double -q
for site in 1 2 3; do
  moiety study join judged site$site.csv --site site$site $how -q
  moiety study round site$site.site --wait -q &
done
moiety study round judged --wait -q
wait
moiety study close judged -o JUDGED -q
moiety fit --double pooled.csv $how -o POOLED -q
for r in JUDGED POOLED; do moiety show $r | sed '/^To keep in mind/,$d' > $r.report; done`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if one, two := siteText(t, dir, "JUDGED.report"), siteText(t, dir, "POOLED.report"); one != two || !strings.Contains(one, "form 3 states") {
		t.Errorf("the report of the study is\n%s\nthat of all records\n%s", one, two)
	}
}

// TestJudgedRefusals: sums that can be read, and rounds by hand, are no way to judge.
func TestJudgedRefusals(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands are not run")
	}
	dir := t.TempDir()
	sites(t, dir)
	out, err := shell(t, dir, `
if moiety study new open --sites 3 --open 2> open.txt; then exit 1; fi
if moiety study new cut --sites 3 --method sidiwo 2> cut.txt; then exit 1; fi
if moiety moments site1.csv -o x.mom 2> hand.txt; then exit 1; fi`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{"open.txt": "hide the sums", "cut.txt": "all records are in one place", "hand.txt": "too many by hand"} {
		if text := siteText(t, dir, name); !strings.Contains(text, want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestEmptySite: a site without records takes part and changes nothing; a site's file
// that is taken out of a merge and added again changes nothing either.
func TestEmptySite(t *testing.T) {
	numtest.NotShort(t)
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands are not run")
	}
	dir := t.TempDir()
	sites(t, dir)
	out, err := shell(t, dir, `
head -1 site1.csv > site4.csv
FLAGS='-k 4 --model bernoulli --refine none -q'
round() {
  for site in 1 2 3 4; do moiety moments site$site.csv $FLAGS "$@" -o site$site.mom; done
  moiety merge site1.mom site2.mom site3.mom site4.mom -o all.mom -q
}
round
round --with all.mom
moiety merge all.mom --subtract site2.mom -o rest.mom > rest.txt 2>&1
moiety merge rest.mom site2.mom -o again.mom -q
cmp all.mom again.mom
if moiety merge rest.mom --subtract site2.mom -o x.mom 2> never.txt; then exit 1; fi
until moiety fit $FLAGS all.mom --dry-run; do round --with all.mom; done
moiety fit $FLAGS all.mom -o RUN > /dev/null
moiety fit $FLAGS pooled.csv -o POOLED > /dev/null
for r in RUN POOLED; do moiety export $r --to csv -o $r.csv -q; done
for r in RUN POOLED; do awk -F, 'NR > 1 { for (i = 2; i <= NF; i++) printf "%.9f ", $i; print $1 }' $r.csv/centers.csv > $r.txt; done
cmp RUN.txt POOLED.txt`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{"rest.txt": "still missing: site2", "never.txt": "never added", "site4.txt": "What leaves the house"} {
		if text := siteText(t, dir, name); !strings.Contains(text, want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// refusals tries files that do not belong together.
func refusals(t *testing.T, dir string) {
	for _, c := range []struct{ name, commands, want string }{
		{"a site twice", "moiety merge site1.mom site2.mom site1.mom -o x.mom", "site1 is in already"},
		{"a site that is missing", "moiety merge site1.mom site2.mom -o x.mom; moiety fit x.mom -o X", "site3 missing"},
		{"an edited file", "cp site1.mom e.mom; printf x | dd of=e.mom bs=1 seek=700 conv=notrunc 2>/dev/null; moiety merge e.mom site2.mom -o x.mom", "changed or damaged"},
		{"a foreign file", "moiety merge site1.csv -o x.mom", "not a file of sums"},
		{"other flags", "moiety moments site1.csv -k 3 --model bernoulli --with all.mom -o y.mom --key site1.key", "other settings"},
		{"a site of no study", "moiety moments site1.csv -k 4 --model bernoulli -o z.mom -q; moiety moments site1.csv -k 4 --model bernoulli --with all.mom -o z.mom", "not in the study"},
		{"a round too many", "moiety moments site1.csv -k 4 --model bernoulli --with all.mom -o site1.mom", "all rounds are done"},
		{"a tree", "moiety moments site1.csv -o w.mom", "-k"},
		{"another round", "cp site1.mom old.mom; moiety moments site1.csv -k 4 --model bernoulli -o first.mom -q; moiety merge first.mom old.mom -o x.mom", "another round"},
	} {
		if out, err := shell(t, dir, c.commands); err == nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v, want an error with %q:\n%s", c.name, err, c.want, out)
		}
	}
}

// TestNamesOfFew: names that fewer people have than the limit do not leave.
func TestNamesOfFew(t *testing.T) {
	dir := t.TempDir()
	rows := "patient,code\n"
	for i := range 60 {
		rows += fmt.Sprintf("p%d,428\np%d,250\np%d,401\np%d,585\n", i, i, i, i)
		if i < 10 {
			rows += fmt.Sprintf("p%d,042\n", i)
		}
	}
	write(t, filepath.Join(dir, "site1.csv"), rows)
	if out, err := shell(t, dir, "moiety moments site1.csv -k 2 -o site1.mom"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, quote := range map[string]string{"site1.mom": "\"%s\"", "site1.txt": "  %s\n"} {
		has := func(code string) bool { return strings.Contains(siteText(t, dir, name), fmt.Sprintf(quote, code)) }
		if has("042") || !has("428") {
			t.Errorf("%s:\n%.2000s", name, siteText(t, dir, name))
		}
	}
}

func siteText(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func siteRows(t *testing.T, dir, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(siteText(t, dir, name))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestSamePeople runs the block of docs/federated.md for the same people at two sites:
// the groups are those of one table of all codes, and no id is in what the joiner gets.
func TestSamePeople(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash: the commands of docs/federated.md are not run")
	}
	dir := t.TempDir()
	r := stream.New(8, "people")
	parts := [2]string{"patient_id,code,age\n", "patient_id,code\n"}
	for i := range 400 {
		z := r.IntN(2)
		for c := range 12 {
			if p := .15 + .6*float64((c+z)%2); r.Float64() < p {
				line := fmt.Sprintf("person-%d,%c%d", i, 'a'+c/6, c)
				if c < 6 {
					line += fmt.Sprint(",", 20+i%60)
				}
				parts[c/6] += line + "\n"
			}
		}
	}
	write(t, filepath.Join(dir, "clinic.csv"), parts[0])
	write(t, filepath.Join(dir, "registry.csv"), parts[1])
	write(t, filepath.Join(dir, "ids.key"), strings.Repeat("5a", 32)) // one key, one order of records
	m := regexp.MustCompile("(?s)```bash\n(moiety convert clinic.*?)```").FindStringSubmatch(siteText(t, "../../docs", "federated.md"))
	if m == nil {
		t.Fatal("no join of the same people in docs/federated.md")
	}
	out, err := shell(t, dir, m[1]+`
cut -d, -f1-2 clinic.csv > codes.csv; tail -n +2 registry.csv >> codes.csv
moiety fit codes.csv --unit patient -o WHOLE -q > whole.txt
for r in VERTICAL WHOLE; do moiety show $r > $r.report; done
if grep -q person- *.hidden.csv; then exit 1; fi
if grep -q age clinic.hidden.csv; then exit 1; fi
sort -c -s -t, -k1,1 <(tail -n +2 clinic.hidden.csv)
cut -d, -f1 clinic.hidden.csv | sort -u > one; cut -d, -f1 registry.hidden.csv | sort -u > two
[ $(comm -12 one two | wc -l) -gt 300 ]
moiety convert registry.csv --id-key other.key --to csv -o other.hidden.csv > made.txt 2>&1; grep -q "A new key" made.txt
[ "$(stat -c %a other.key 2> /dev/null || stat -f %Lp other.key)" = 600 ]
cut -d, -f1 other.hidden.csv | tail -n +2 | sort -u > three; [ $(comm -12 one three | wc -l) = 0 ]
echo short > bad.key
if moiety convert registry.csv --id-key bad.key --to csv -o x.csv 2> bad.txt; then exit 1; fi`)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(out, "sees which records are of one person") {
		t.Errorf("nothing is said of what the joiner sees:\n%s", out)
	}
	if one, two := siteText(t, dir, "VERTICAL.report"), siteText(t, dir, "WHOLE.report"); one != two || !strings.Contains(one, "2 groups") {
		t.Errorf("joined by hidden ids\n%s\nall in one table\n%s", one, two)
	}
	if text := siteText(t, dir, "bad.txt"); !strings.Contains(text, "no key of ids") {
		t.Errorf("bad key: %s", text)
	}
}
