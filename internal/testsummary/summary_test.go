package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// events has a passing parent with two subtests, a skip with a reason, a
// failing subtest, and a package that does not build.
const events = `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"run","Package":"m/a","Test":"TestOne/x"}
{"Action":"pass","Package":"m/a","Test":"TestOne/x"}
{"Action":"run","Package":"m/a","Test":"TestOne/y"}
{"Action":"output","Package":"m/a","Test":"TestOne/y","Output":"    a_test.go:9: count: 30 kills\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne/y"}
{"Action":"pass","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"=== RUN   TestTwo\n"}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"    a_test.go:7: no browser found\n"}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"--- SKIP: TestTwo (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestTwo"}
{"Action":"pass","Package":"m/a","Elapsed":1.25}
{"Action":"output","Package":"m/b","Test":"TestBad/z","Output":"    b_test.go:9: got 1, want 2\n"}
{"Action":"fail","Package":"m/b","Test":"TestBad/z"}
{"Action":"fail","Package":"m/b","Test":"TestBad"}
{"Action":"fail","Package":"m/b","Elapsed":0.5}
{"ImportPath":"m/c [m/c.test]","Action":"build-output","Output":"c.go:3: undefined: x\n"}
{"ImportPath":"m/c [m/c.test]","Action":"build-fail"}
{"Action":"output","Package":"m/c","Output":"FAIL\tm/c [build failed]\n"}
{"Action":"fail","Package":"m/c","FailedBuild":"m/c [m/c.test]"}
{"Action":"skip","Package":"m/d"}
{"Action":"run","Package":"m/e","Test":"TestDies"}
{"Action":"output","Package":"m/e","Test":"TestDies","Output":"panic: ouch\n"}
{"Action":"fail","Package":"m/e","Elapsed":0.1}
`

func TestFollow(t *testing.T) {
	var out, ledger strings.Builder
	ok, err := follow(strings.NewReader(events), &out, &ledger)
	if err != nil || ok {
		t.Fatalf("follow = %v, %v; want a failure without error", ok, err)
	}
	wantLedger := "count 30 kills\nskip m/a.TestTwo\tno browser found\npass 2\n" +
		"fail m/b.TestBad/z\npass 0\npass 0\nfail m/c\npass 0\nfail m/e.TestDies\npass 0\n"
	if got := ledger.String(); got != wantLedger {
		t.Errorf("ledger:\n%s\nwant:\n%s", got, wantLedger)
	}
	for _, want := range []string{"ok    m/a 1.2s", "FAIL  m/b", "got 1, want 2", "undefined: x", "none  m/d", "panic: ouch"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
}

func TestUnfinished(t *testing.T) {
	for name, in := range map[string]string{
		"no event":        "go: cannot find main module\n",
		"package cut off": `{"Action":"run","Package":"m/a","Test":"TestOne"}` + "\n",
	} {
		var out, ledger strings.Builder
		ok, err := follow(strings.NewReader(in), &out, &ledger)
		if err != nil || ok || !strings.Contains(ledger.String(), "fail ") {
			t.Errorf("%s: ok %v, err %v, ledger %q; want a failure", name, ok, err, ledger.String())
		}
	}
}

func TestClose(t *testing.T) {
	for _, c := range []struct {
		ledger, want string
		ok           bool
	}{
		{"pass 2\nskip m/a.TestTwo\tno browser found\npass 3\n", "\nskipped\n  m/a.TestTwo: no browser found\n\n5 passed, 0 failed, 1 skipped\n", true},
		{"count 30 kills\npass 1\n", "\ntried\n  30 kills\n\n1 passed, 0 failed, 0 skipped\n", true},
		{"pass 1\nfail go vet\n", "\nfailed\n  go vet\n\n1 passed, 1 failed, 0 skipped\n", false},
		{"", "\n0 passed, 0 failed, 0 skipped\n", false},
	} {
		var out strings.Builder
		ok, err := closeLedger(c.ledger, &out)
		if err != nil || ok != c.ok || out.String() != c.want {
			t.Errorf("closeLedger(%q) = %v, %v, %q; want %v, %q", c.ledger, ok, err, out.String(), c.ok, c.want)
		}
	}
	if _, err := closeLedger("pass many\n", &strings.Builder{}); err == nil {
		t.Error("a damaged ledger was accepted")
	}
}

func TestRunKeepsTheLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	for range 2 {
		in := strings.NewReader(`{"Action":"pass","Package":"m/a","Test":"TestOne"}` + "\n" + `{"Action":"pass","Package":"m/a"}` + "\n")
		if ok, err := run(path, false, in, &strings.Builder{}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	var out strings.Builder
	if ok, err := run(path, true, nil, &out); !ok || err != nil || !strings.Contains(out.String(), "2 passed, 0 failed") {
		t.Errorf("close: %v, %v, %q", ok, err, out.String())
	}
}
