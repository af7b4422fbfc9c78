package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Before testscript makes its folder, which a child that is killed would leave.
	if args, ok := os.LookupEnv(childArgs); ok {
		os.Exit(runChild(args))
	}
	testscript.Main(m, map[string]func(){"moiety": main})
}

// TestScript runs every command, every format and every way to fail.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("NO_COLOR", "1")
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code":      code,
			"same-run":  sameRun,
			"repeat":    repeat,
			"interrupt": interrupt,
			"flip":      flip,
			"replace":   replace,
			"hospital":  hospital,
			"json-has":  jsonHas,
			"outputs":   outputs,
		},
	})
}

// code runs the program and checks its exit code: code N args...
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// sameRun compares two run folders file by file, timings aside.
func sameRun(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same-run A B")
	}
	err := sameFolder(ts.MkAbs(args[0]), ts.MkAbs(args[1]))
	if neg != (err != nil) {
		ts.Fatalf("%s and %s: %v", args[0], args[1], err)
	}
}

// repeat writes a text n times to a file: repeat N SOURCE TARGET
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N SOURCE TARGET")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(ts.ReadFile(args[1]), n)), 0o644))
}

// interrupt runs the program and sends it a signal once it has said something:
// interrupt args...
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: interrupt args...")
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		path = filepath.Join(strings.Split(ts.Getenv("PATH"), string(os.PathListSeparator))[0], args[0])
	}
	c := exec.Command(path, args[1:]...)
	c.Dir = ts.MkAbs(".")
	c.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"))
	said, err := c.StderrPipe()
	ts.Check(err)
	ts.Check(c.Start())
	buf := make([]byte, 1)
	_, err = said.Read(buf)
	ts.Check(err)
	ts.Check(c.Process.Signal(os.Interrupt))
	go func() { // the rest of what it says, so that it does not wait for a reader
		b := make([]byte, 1<<12)
		for {
			if _, err := said.Read(b); err != nil {
				return
			}
		}
	}()
	timer := time.AfterFunc(20*time.Second, func() { c.Process.Kill() })
	defer timer.Stop()
	err = c.Wait()
	if got := c.ProcessState.ExitCode(); got != exitCancelled {
		ts.Fatalf("exit code %d (%v), want %d", got, err, exitCancelled)
	}
}

// flip changes one byte in the middle of a file: flip FILE
func flip(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[len(data)/2] ^= 0x40
	ts.Check(os.WriteFile(path, data, 0o644))
}

// replace puts a text in the place of another: replace FILE OLD NEW
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	if !strings.Contains(string(data), args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(string(data), args[1], args[2], 1)), 0o644))
}

// hospital writes example patients to a file: hospital N FILE
func hospital(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hospital N FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(writePatients(target{path: ts.MkAbs(args[1])}, 1, n))
}
