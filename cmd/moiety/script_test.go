package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A script is a text of commands, one a line, and the files that they find, each after a line
// "-- NAME --" (the format txtar). Lines that start with # are comments; words are parted by
// blanks, and quoted by '; "! " before a command says that it fails, "[NAME] " that it is run
// where that is so (short, root, a system). The commands are those of scriptCommands.
type script struct {
	t              *testing.T
	dir            string
	env            []string
	stdin          string
	stdout, stderr string
	log            strings.Builder
}

// scriptCommands take what follows their name; neg is said by "! ".
var scriptCommands = map[string]func(s *script, neg bool, args []string){
	"chmod": func(s *script, _ bool, args []string) {
		mode, err := strconv.ParseUint(args[0], 8, 32)
		s.Check(err)
		s.Check(os.Chmod(s.MkAbs(args[1]), os.FileMode(mode)))
	},
	"cmp": func(s *script, neg bool, args []string) {
		if (s.ReadFile(args[0]) == s.ReadFile(args[1])) == neg {
			s.Fatalf("%s and %s: the same is %v", args[0], args[1], neg)
		}
	},
	"cp": func(s *script, _ bool, args []string) {
		s.Check(os.WriteFile(s.MkAbs(args[1]), []byte(s.ReadFile(args[0])), 0o644))
	},
	"env": func(s *script, _ bool, args []string) { s.env = append(s.env, args...) },
	"exec": func(s *script, neg bool, args []string) {
		if err := s.Exec(args[0], args[1:]...); neg != (err != nil) {
			s.Fatalf("it ended with %v", err)
		}
	},
	"exists": func(s *script, neg bool, args []string) {
		for _, name := range args {
			if _, err := os.Lstat(s.MkAbs(name)); neg != (err != nil) {
				s.Fatalf("%s is there: %v", name, err == nil)
			}
		}
	},
	"grep":   func(s *script, neg bool, args []string) { s.match(neg, args[0], s.ReadFile(args[1])) },
	"mkdir":  func(s *script, _ bool, args []string) { s.Check(os.MkdirAll(s.MkAbs(args[0]), 0o755)) },
	"mv":     func(s *script, _ bool, args []string) { s.Check(os.Rename(s.MkAbs(args[0]), s.MkAbs(args[1]))) },
	"rm":     func(s *script, _ bool, args []string) { s.Check(os.RemoveAll(s.MkAbs(args[0]))) },
	"stderr": func(s *script, neg bool, args []string) { s.match(neg, args[0], s.stderr) },
	"stdin":  func(s *script, _ bool, args []string) { s.stdin = s.ReadFile(args[0]) },
	"stdout": func(s *script, neg bool, args []string) { s.match(neg, args[0], s.stdout) },
	"symlink": func(s *script, _ bool, args []string) { // symlink NEW -> OLD
		s.Check(os.Symlink(args[2], s.MkAbs(args[0])))
	},
}

// runScripts runs all scripts of a folder, each in a folder of its own, with more commands.
func runScripts(t *testing.T, folder string, more map[string]func(s *script, neg bool, args []string)) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &script{t: t, dir: t.TempDir()}
			s.env = []string{
				"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir,
				"XDG_CACHE_HOME=" + filepath.Join(s.dir, "cache"), "TMPDIR=" + t.TempDir(), "NO_COLOR=1", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
			}
			commands := s.unpack(string(text))
			t.Cleanup(func() {
				if t.Failed() {
					t.Log(s.log.String())
				}
			})
			for i, line := range commands {
				if !s.line(i+1, line, more) {
					return
				}
			}
		})
	}
}

var fileMark = regexp.MustCompile(`(?m)^-- (.+) --\n`)

// unpack writes the files of a script and returns the lines before them.
func (s *script) unpack(text string) []string {
	marks := fileMark.FindAllStringSubmatchIndex(text, -1)
	end := len(text)
	for _, m := range slices.Backward(marks) {
		path := s.MkAbs(text[m[2]:m[3]])
		s.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		s.Check(os.WriteFile(path, []byte(text[m[1]:end]), 0o644))
		end = m[0]
	}
	return strings.Split(text[:end], "\n")
}

// line runs one line; false ends the script.
func (s *script) line(n int, line string, more map[string]func(s *script, neg bool, args []string)) bool {
	if strings.HasPrefix(line, "#") {
		s.log.Reset() // of what went before, nothing went wrong
	}
	fmt.Fprintf(&s.log, "%d> %s\n", n, line)
	args := s.words(line)
	for len(args) > 0 && strings.HasPrefix(args[0], "[") {
		if !s.holds(strings.Trim(args[0], "[]")) {
			return true
		}
		args = args[1:]
	}
	neg := len(args) > 0 && args[0] == "!"
	if neg {
		args = args[1:]
	}
	if len(args) == 0 {
		return true
	}
	switch do := scriptCommands[args[0]]; {
	case args[0] == "skip":
		s.t.Skip(strings.Join(args[1:], " "))
	case args[0] == "stop":
		return false
	case do != nil:
		do(s, neg, args[1:])
	case more[args[0]] != nil:
		more[args[0]](s, neg, args[1:])
	default:
		s.Fatalf("no command %s", args[0])
	}
	return true
}

// words parts a line; a word that starts with # starts a comment.
func (s *script) words(line string) []string {
	var words []string
	var word strings.Builder
	quoted, begun := false, false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case !quoted && (r == ' ' || r == '\t'):
			end()
		case r == '#' && !quoted && !begun:
			return words
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if quoted {
		s.Fatalf("a quote is not closed")
	}
	end()
	return words
}

// holds says whether a condition is met.
func (s *script) holds(condition string) bool {
	switch condition {
	case "short":
		return testing.Short()
	case "root":
		return os.Geteuid() == 0
	case "windows":
		return runtime.GOOS == condition
	}
	s.Fatalf("no condition %s", condition)
	return false
}

// match fails unless a text, taken by lines, has the expression.
func (s *script) match(neg bool, expression, text string) {
	re, err := regexp.Compile("(?m)" + expression)
	s.Check(err)
	if re.MatchString(text) == neg {
		s.Fatalf("found is %v: %s in\n%s", !neg, expression, text)
	}
}

// Exec runs a program and keeps what it says.
func (s *script) Exec(name string, args ...string) error {
	c, err := s.program(name, args)
	if err != nil {
		return err
	}
	var out, said bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(s.stdin), &out, &said
	s.stdin = ""
	err = c.Run()
	s.stdout, s.stderr = out.String(), said.String()
	fmt.Fprintf(&s.log, "%s%s", s.stdout, s.stderr)
	return err
}

// program is a program in the folder and the environment of the script.
func (s *script) program(name string, args []string) (*exec.Cmd, error) {
	path, err := exec.LookPath(name)
	if name == "moiety" {
		path, err = filepath.Join(filepath.SplitList(strings.TrimPrefix(s.env[0], "PATH="))[0], name), nil
	}
	c := exec.Command(path, args...)
	c.Dir, c.Env = s.dir, s.env
	return c, err
}

// MkAbs is the path of a file of the script.
func (s *script) MkAbs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// ReadFile is the text of a file, or what was said last.
func (s *script) ReadFile(name string) string {
	switch name {
	case "stdout":
		return s.stdout
	case "stderr":
		return s.stderr
	}
	text, err := os.ReadFile(s.MkAbs(name))
	s.Check(err)
	return string(text)
}

func (s *script) Check(err error) {
	s.t.Helper()
	if err != nil {
		s.Fatalf("%v", err)
	}
}

func (s *script) Fatalf(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf(format, args...)
}

// TestScriptWords: the language of scripts says what is wrong in them.
func TestScriptWords(t *testing.T) {
	s := &script{t: t, dir: t.TempDir()}
	for line, want := range map[string][]string{
		"":                        nil,
		"# a comment":             nil,
		"exec  a 'b c' '' # d":    {"exec", "a", "b c", ""},
		`stdout 'a#b' c#d`:        {"stdout", "a#b", "c#d"},
		"[short] skip 'too slow'": {"[short]", "skip", "too slow"},
	} {
		if got := s.words(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	lines := s.unpack("one\ntwo\n-- a/b.txt --\ntext\n-- c --\n")
	if !slices.Equal(lines, []string{"one", "two", ""}) || s.ReadFile("a/b.txt") != "text\n" || s.ReadFile("c") != "" {
		t.Errorf("unpacked %q", lines)
	}
	if _, err := os.Stat(s.MkAbs("one")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
