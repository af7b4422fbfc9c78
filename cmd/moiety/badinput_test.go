package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// badRow is one row of docs/bad-input.md.
type badRow struct {
	file, holds, command, says string
	exit                       int
}

var badLine = regexp.MustCompile("^\\| `([^`]+)` \\| (.*) \\| `([^`]+)` \\| (\\d) \\| (.*) \\|$")

// badRows reads the tables of the page.
func badRows(t *testing.T) []badRow {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "bad-input.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []badRow
	for line := range strings.Lines(string(page)) {
		m := badLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			if strings.HasPrefix(line, "| `") {
				t.Errorf("a row that is no test: %s", line)
			}
			continue
		}
		exit, _ := strconv.Atoi(m[4])
		out = append(out, badRow{file: m[1], holds: m[2], command: m[3], exit: exit, says: strings.ReplaceAll(m[5], `\|`, "|")})
	}
	return out
}

var badText = regexp.MustCompile("`([^`]*)`(?: ×(\\d+))?")

// content writes the file that a cell of the page describes: lines in
// backticks, repeated ×N with {i} as their number and {i%3} as its rest.
func (b badRow) content() string {
	var text strings.Builder
	for _, m := range badText.FindAllStringSubmatch(b.holds, -1) {
		n := 1
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		for i := range n {
			line := strings.ReplaceAll(m[1], `\|`, "|")
			line = strings.ReplaceAll(strings.ReplaceAll(line, "{i}", strconv.Itoa(i)), "⇥", "\t")
			for _, mod := range []int{2, 3, 4, 5, 7, 11, 50} {
				line = strings.ReplaceAll(line, "{i%"+strconv.Itoa(mod)+"}", strconv.Itoa(i%mod))
			}
			text.WriteString(line + "\n")
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(text.String(), "⏎", "\n"), "␍\n", "\r")
}

// TestBadInput does what every row of docs/bad-input.md says: the file is made,
// the command is run, its exit code and its words are those of the page.
func TestBadInput(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rows := badRows(t)
	if len(rows) < 40 {
		t.Fatalf("only %d rows", len(rows))
	}
	for i, b := range rows {
		if i%numtest.Scale(5, 1, 1) != 0 {
			continue
		}
		t.Run(b.command, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, b.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if b.holds != "not there" {
				if err := os.WriteFile(path, []byte(b.content()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			said, got := "", 0
			for command := range strings.SplitSeq(b.command, "; ") {
				if got != 0 {
					t.Fatalf("before %q: exit %d\nsaid: %s", command, got, said)
				}
				c := exec.Command(self)
				c.Dir = dir
				c.Env = append(os.Environ(), "HOME="+dir, childArgs+"="+strings.Join(badArgs(command), "|"))
				out, err := c.CombinedOutput()
				if exit := new(exec.ExitError); errors.As(err, &exit) {
					got = exit.ExitCode()
				}
				said = strings.Join(strings.Fields(string(out)), " ")
			}
			if got != b.exit || !strings.Contains(said, strings.Join(strings.Fields(b.says), " ")) {
				t.Errorf("exit %d, want %d\nsaid: %s\nwant: %s", got, b.exit, said, b.says)
			}
			if strings.Contains(said, "strconv") || strings.Contains(said, "goroutine") {
				t.Errorf("words of the language: %s", said)
			}
		})
	}
}

// badArgs parts a command at blanks outside of single quotes.
func badArgs(command string) []string {
	var out []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			out[len(out)-1] += part
			continue
		}
		fields := strings.Fields(part)
		if i > 0 && !strings.HasPrefix(part, " ") && len(fields) > 0 {
			out[len(out)-1] += fields[0]
			fields = fields[1:]
		}
		out = append(out, fields...)
		if strings.HasSuffix(part, " ") && i < strings.Count(command, "'") {
			out = append(out, "")
		}
	}
	return out[1:] // without the name of the program
}
