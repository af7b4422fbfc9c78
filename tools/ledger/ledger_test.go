// Package ledger_test asks the two scripts by which scripts/test.sh counts: events.awk writes
// the events of go test into the ledger, closing.awk prints the closing lines.
package ledger_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// events has a passing parent with two subtests, a skip with a reason, one without, a failing
// subtest, a package that does not build, one that dies and one that is cut off.
const events = `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"run","Package":"m/a","Test":"TestOne/x"}
{"Action":"pass","Package":"m/a","Test":"TestOne/x","Elapsed":0}
{"Action":"output","Package":"m/a","Test":"TestOne/y","Output":"    a_test.go:9: count: 30 kills of \"p\"\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne/y","Elapsed":0}
{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":0}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"=== RUN   TestTwo\n"}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"    a_test.go:7: no browser\n"}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"        was found\n"}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"--- SKIP: TestTwo (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestTwo","Elapsed":0}
{"Action":"skip","Package":"m/a","Test":"TestThree","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":1.25}
{"Action":"start","Package":"m/b"}
{"Action":"output","Package":"m/b","Test":"TestBad/z","Output":"    b_test.go:9: got 1, want 2\n"}
{"Action":"fail","Package":"m/b","Test":"TestBad/z","Elapsed":0}
{"Action":"fail","Package":"m/b","Test":"TestBad","Elapsed":0}
{"Action":"fail","Package":"m/b","Elapsed":0.5}
{"ImportPath":"m/c [m/c.test]","Action":"build-output","Output":"c.go:3: undefined: x\n"}
{"ImportPath":"m/c [m/c.test]","Action":"build-fail"}
{"Action":"start","Package":"m/c"}
{"Action":"fail","Package":"m/c","Elapsed":0,"FailedBuild":"m/c [m/c.test]"}
{"Action":"start","Package":"m/d"}
{"Action":"skip","Package":"m/d","Elapsed":0}
{"Action":"start","Package":"m/e"}
{"Action":"run","Package":"m/e","Test":"TestDies"}
{"Action":"fail","Package":"m/e","Elapsed":0.1}
{"Action":"start","Package":"m/f"}
{"Action":"run","Package":"m/f","Test":"TestCutOff"}
`

// awk runs a script over a text; ok says whether it ended with 0.
func awk(t *testing.T, script, text string) (out string, ok bool) {
	t.Helper()
	c := exec.Command("awk", "-f", script)
	c.Stdin = strings.NewReader(text)
	said, err := c.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Skip("needs awk (Debian: mawk)")
	}
	return string(said), err == nil
}

func TestEvents(t *testing.T) {
	want := "count 30 kills of \"p\"\nskip m/a.TestTwo\tno browser was found\nskip m/a.TestThree\tno reason given\n" +
		"fail m/b.TestBad/z\nfail m/c\nfail m/e\nfail m/f: ended before its tests did\npass 2\n"
	if got, ok := awk(t, "events.awk", events); got != want || !ok {
		t.Errorf("ledger:\n%s\nwant:\n%s", got, want)
	}
	if got, _ := awk(t, "events.awk", ""); got != "fail go test gave no results\npass 0\n" {
		t.Errorf("of no events: %q", got)
	}
}

func TestClosing(t *testing.T) {
	for _, c := range []struct {
		ledger, want string
		ok           bool
	}{
		{"pass 2\nskip m/a.TestTwo\tno browser found\npass 3\n", "\nskipped\n  m/a.TestTwo: no browser found\n\n5 passed, 0 failed, 1 skipped\n", true},
		{"count 30 kills\npass 1\n", "\ntried\n  30 kills\n\n1 passed, 0 failed, 0 skipped\n", true},
		{"pass 1\nfail go vet\n", "\nfailed\n  go vet\n\n1 passed, 1 failed, 0 skipped\n", false},
		{"pass 1\npass many\n", "\nfailed\n  the ledger has the line pass many\n\n1 passed, 1 failed, 0 skipped\n", false},
		{"", "\n0 passed, 0 failed, 0 skipped\n", false},
	} {
		if got, ok := awk(t, "closing.awk", c.ledger); got != c.want || ok != c.ok {
			t.Errorf("%q: %v, %q; want %v, %q", c.ledger, ok, got, c.ok, c.want)
		}
	}
}
