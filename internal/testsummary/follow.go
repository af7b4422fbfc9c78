package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// event is one line of go test -json, as cmd/test2json documents it; lines of
// the build carry ImportPath instead of Package.
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// result of one test: its output, and how it ended: "pass", "fail", "skip", or
// "" while it runs.
type result struct {
	name   string
	output strings.Builder
	ended  string
}

// pkg collects the events of one package.
type pkg struct {
	tests  []*result // in order of start
	output strings.Builder
}

// follower reads events and writes lines for people to out and for the
// closing part to ledger.
type follower struct {
	out, ledger io.Writer
	pkgs        map[string]*pkg
	builds      map[string]*strings.Builder // output of builds, by import path
	ok          bool
	seen        int
}

// follow handles all events of in; ok says that nothing failed.
func follow(in io.Reader, out, ledger io.Writer) (ok bool, err error) {
	f := follower{out: out, ledger: ledger, pkgs: map[string]*pkg{}, builds: map[string]*strings.Builder{}, ok: true}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			f.line(line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, err
		}
	}
	f.unfinished()
	return f.ok, nil
}

// line handles one line; what is not an event is passed through.
func (f *follower) line(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		f.out.Write(line)
		return
	}
	f.seen++
	switch {
	case e.Action == "build-output":
		b := f.builds[e.ImportPath]
		if b == nil {
			b = &strings.Builder{}
			f.builds[e.ImportPath] = b
		}
		b.WriteString(e.Output)
	case e.Action == "build-fail" || e.Package == "":
	case e.Test != "":
		f.test(e)
	default:
		f.pkg(e)
	}
}

func (f *follower) of(name string) *pkg {
	p := f.pkgs[name]
	if p == nil {
		p = &pkg{}
		f.pkgs[name] = p
	}
	return p
}

// test handles an event of one test.
func (f *follower) test(e event) {
	p := f.of(e.Package)
	i := slices.IndexFunc(p.tests, func(r *result) bool { return r.name == e.Test })
	if i < 0 {
		p.tests = append(p.tests, &result{name: e.Test})
		i = len(p.tests) - 1
	}
	switch r := p.tests[i]; e.Action {
	case "output":
		r.output.WriteString(e.Output)
	case "pass", "fail", "skip":
		r.ended = e.Action
	}
}

// pkg handles an event of a package as a whole.
func (f *follower) pkg(e event) {
	p := f.of(e.Package)
	switch e.Action {
	case "output":
		p.output.WriteString(e.Output)
	case "pass":
		fmt.Fprintf(f.out, "ok    %s %.1fs\n", e.Package, e.Elapsed)
		f.finish(e.Package, false)
	case "skip":
		if len(p.tests) == 0 {
			fmt.Fprintf(f.out, "none  %s\n", e.Package)
		}
		f.finish(e.Package, false)
	case "fail":
		fmt.Fprintf(f.out, "FAIL  %s %.1fs\n", e.Package, e.Elapsed)
		if b := f.builds[e.FailedBuild]; b != nil {
			io.WriteString(f.out, b.String())
		}
		f.finish(e.Package, true)
	}
}

// finish writes the results of a finished package to the ledger and the output
// of its failures to out. A test with subtests is counted through them, unless
// it failed by itself.
func (f *follower) finish(name string, failed bool) {
	p := f.pkgs[name]
	delete(f.pkgs, name)
	passed, fails := 0, 0
	for _, r := range p.tests {
		parent, explained := p.children(r)
		for _, said := range counts(r.output.String()) {
			fmt.Fprintf(f.ledger, "count %s\n", said)
		}
		switch {
		case r.ended == "pass" && !parent:
			passed++
		case r.ended == "skip":
			fmt.Fprintf(f.ledger, "skip %s.%s\t%s\n", name, r.name, reason(r.output.String()))
		case r.ended == "fail" || r.ended == "":
			io.WriteString(f.out, r.output.String())
			if r.ended == "" && !failed || explained {
				break
			}
			fails++
			fmt.Fprintf(f.ledger, "fail %s.%s\n", name, r.name)
		}
	}
	fmt.Fprintf(f.ledger, "pass %d\n", passed)
	if failed {
		f.ok = false
		io.WriteString(f.out, p.output.String())
		if fails == 0 { // it did not build, or died outside a test
			fmt.Fprintf(f.ledger, "fail %s\n", name)
		}
	}
}

// children reports whether r has subtests and whether one of them failed.
func (p *pkg) children(r *result) (any, failed bool) {
	for _, c := range p.tests {
		if strings.HasPrefix(c.name, r.name+"/") {
			any = true
			failed = failed || c.ended == "fail" || c.ended == ""
		}
	}
	return any, failed
}

// unfinished fails the packages whose end never came, and a run without any
// event at all: go test itself did not start.
func (f *follower) unfinished() {
	var names []string
	for name := range f.pkgs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(f.out, "FAIL  %s: ended before its tests did\n", name)
		f.finish(name, true)
	}
	if f.seen == 0 {
		f.ok = false
		fmt.Fprintln(f.ledger, "fail go test gave no results")
	}
}

// place is the position that t.Skip puts before its reason.
var place = regexp.MustCompile(`^\S+\.go:\d+: `)

// counts returns the lines of a test that begin with "count: ": how often it
// tried what cannot be seen from its passing.
func counts(output string) (said []string) {
	for line := range strings.Lines(output) {
		if text, ok := strings.CutPrefix(place.ReplaceAllString(strings.TrimSpace(line), ""), "count: "); ok {
			said = append(said, text)
		}
	}
	return said
}

// reason returns what a skipped test said, on one line.
func reason(output string) string {
	var said []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		said = append(said, place.ReplaceAllString(line, ""))
	}
	if len(said) == 0 {
		return "no reason given"
	}
	return strings.Join(said, " ")
}
