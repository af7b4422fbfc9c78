package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated runs the generator again, elsewhere: the assembly that is
// compiled is what it writes, so that nobody mends it by hand.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: slow: compiles the generator of the assembly")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not there to build the generator")
	}
	out := t.TempDir()
	program := filepath.Join(out, "gen")
	for _, c := range []*exec.Cmd{exec.Command("go", "build", "-o", program, "./gen"), exec.Command(program)} {
		c.Env = append(os.Environ(), "GOOS=", "GOARCH=") // this machine's, where tests are emulated
		if c.Path == program {
			c.Dir = out
		}
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c, err, text)
		}
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadDir(out)
	if err != nil || len(made) == 0 {
		t.Fatalf("the generator wrote %d files (%v)", len(made), err)
	}
	for _, f := range made {
		want, err := os.ReadFile(filepath.Join(out, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate ./internal/kernel", f.Name())
		}
	}
	checkNoOther(t, out)
}

// checkNoOther finds assembly that the generator does not write.
func checkNoOther(t *testing.T, made string) {
	t.Helper()
	assembly, err := filepath.Glob("*.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range assembly {
		if _, err := os.Stat(filepath.Join(made, s)); err != nil {
			t.Errorf("%s is not written by the generator", s)
		}
	}
}
