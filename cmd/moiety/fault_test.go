package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/par"
)

// inProcess runs the program with files in place of its terminals and returns
// its code and what it wrote.
func inProcess(t *testing.T, root func(*app) *cobra.Command, args ...string) (code int, out, err string) {
	t.Helper()
	dir := t.TempDir()
	open := func(name string) *os.File {
		f, e := os.Create(filepath.Join(dir, name))
		if e != nil {
			t.Fatal(e)
		}
		return f
	}
	o, e := open("out"), open("err")
	a := &app{in: os.Stdin, out: &output{f: o}, err: e}
	if root == nil {
		code = a.run(args)
	} else {
		code = a.runRoot(root(a), args)
	}
	o.Close()
	e.Close()
	read := func(name string) string {
		text, e := os.ReadFile(filepath.Join(dir, name))
		if e != nil {
			t.Fatal(e)
		}
		return string(text)
	}
	return code, read("out"), read("err")
}

// secret stands for a value of the data.
const secret = "patient-4711"

// breaking returns the program with a verb that panics.
func breaking(how func()) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		root := a.root()
		c := &cobra.Command{Use: "break", RunE: func(*cobra.Command, []string) error { how(); return nil }}
		c.Flags().String("where", "", "")
		c.Flags().String("model", "", "")
		c.Flags().Int("groups", 0, "")
		root.AddCommand(c)
		return root
	}
}

// A panic anywhere below main is one plain line, exit 1 and a file without data.
func TestFaults(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var none []int
	for name, how := range map[string]func(){
		"in a verb":   func() { _ = none[3] },
		"in a worker": func() { _ = par.Do(t.Context(), 2, 100, func(i int) error { _ = none[i]; return nil }) },
		"with data":   func() { panic("cannot read " + secret) },
	} {
		t.Run(name, func(t *testing.T) {
			code, out, said := inProcess(t, breaking(how), "break", secret+".csv", "--where", secret, "--model", "gaussian", "--groups", "3")
			if code != exitError || out != "" || strings.Count(said, "\n") != 1 || strings.Contains(said, "goroutine") {
				t.Fatalf("code %d, said %q, printed %q", code, said, out)
			}
			_, rest, _ := strings.Cut(said, "add the file ")
			path, _, ok := strings.Cut(rest, ", which")
			if !ok {
				t.Fatalf("no file in %q", said)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"moiety break --groups=3 --model=gaussian --where=…", "fault_test.go", "goroutine"} {
				if !strings.Contains(string(text), want) {
					t.Errorf("%q is not in the file:\n%s", want, text)
				}
			}
			if strings.Contains(string(text), secret) {
				t.Errorf("the file holds data:\n%s", text)
			}
		})
	}
}

// Without any folder to write to, the line stands alone.
func TestFaultWithoutFolder(t *testing.T) {
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "TMPDIR"} {
		t.Setenv(name, "/dev/null/nowhere")
	}
	if f := newFault(nil, &par.Panic{Value: "x"}); f.file != "" || strings.Contains(f.Error(), "file") {
		t.Errorf("%q", f.Error())
	}
}
