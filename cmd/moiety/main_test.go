package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if args, ok := os.LookupEnv(childArgs); ok {
		os.Exit(runChild(args))
	}
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "moiety" { // started by a script
		main()
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "moiety-test-*")
	if err == nil {
		err = becomeProgram(dir)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// becomeProgram puts the test binary into a folder as the program, where whatever tests start
// finds it first.
func becomeProgram(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "moiety")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if os.Link(self, name) != nil { // another file system
		data, err := os.ReadFile(self)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o755); err != nil {
			return err
		}
	}
	return os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestScript runs every command, every format and every way to fail.
func TestScript(t *testing.T) {
	runScripts(t, filepath.Join("testdata", "script"), map[string]func(s *script, neg bool, args []string){
		"code":      code,
		"same-run":  sameRun,
		"repeat":    repeat,
		"interrupt": interrupt,
		"flip":      flip,
		"replace":   replace,
		"hospital":  hospital,
		"json-has":  jsonHas,
		"outputs":   outputs,
	})
}

// code runs the program and checks its exit code: code N args...
func code(s *script, neg bool, args []string) {
	if neg || len(args) < 2 {
		s.Fatalf("usage: code N args...")
	}
	want, err := strconv.Atoi(args[0])
	s.Check(err)
	err = s.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		s.Fatalf("%v", err)
	}
	if got != want {
		s.Fatalf("exit code %d, want %d", got, want)
	}
}

// sameRun compares two run folders file by file, timings aside.
func sameRun(s *script, neg bool, args []string) {
	if len(args) != 2 {
		s.Fatalf("usage: same-run A B")
	}
	err := sameFolder(s.MkAbs(args[0]), s.MkAbs(args[1]))
	if neg != (err != nil) {
		s.Fatalf("%s and %s: %v", args[0], args[1], err)
	}
}

// repeat writes a text n times to a file: repeat N SOURCE TARGET
func repeat(s *script, neg bool, args []string) {
	if neg || len(args) != 3 {
		s.Fatalf("usage: repeat N SOURCE TARGET")
	}
	n, err := strconv.Atoi(args[0])
	s.Check(err)
	s.Check(os.WriteFile(s.MkAbs(args[2]), []byte(strings.Repeat(s.ReadFile(args[1]), n)), 0o644))
}

// interrupt runs the program and sends it a signal once it has said something:
// interrupt args...
func interrupt(s *script, neg bool, args []string) {
	if neg || len(args) == 0 {
		s.Fatalf("usage: interrupt args...")
	}
	c, err := s.program(args[0], args[1:])
	s.Check(err)
	said, err := c.StderrPipe()
	s.Check(err)
	s.Check(c.Start())
	buf := make([]byte, 1)
	_, err = said.Read(buf)
	s.Check(err)
	s.Check(c.Process.Signal(os.Interrupt))
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
		s.Fatalf("exit code %d (%v), want %d", got, err, exitCancelled)
	}
}

// flip changes one byte in the middle of a file: flip FILE
func flip(s *script, neg bool, args []string) {
	path := s.MkAbs(args[0])
	data, err := os.ReadFile(path)
	s.Check(err)
	data[len(data)/2] ^= 0x40
	s.Check(os.WriteFile(path, data, 0o644))
}

// replace puts a text in the place of another: replace FILE OLD NEW
func replace(s *script, neg bool, args []string) {
	if neg || len(args) != 3 {
		s.Fatalf("usage: replace FILE OLD NEW")
	}
	path := s.MkAbs(args[0])
	data, err := os.ReadFile(path)
	s.Check(err)
	if !strings.Contains(string(data), args[1]) {
		s.Fatalf("%s has no %q", args[0], args[1])
	}
	s.Check(os.WriteFile(path, []byte(strings.Replace(string(data), args[1], args[2], 1)), 0o644))
}

// hospital writes example patients to a file: hospital N FILE
func hospital(s *script, neg bool, args []string) {
	if neg || len(args) != 2 {
		s.Fatalf("usage: hospital N FILE")
	}
	n, err := strconv.Atoi(args[0])
	s.Check(err)
	s.Check(writePatients(target{path: s.MkAbs(args[1])}, 1, n))
}
