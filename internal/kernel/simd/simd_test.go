package simd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKernels runs the tests of package kernel, which hold every tier against plain
// Go, inside WebAssembly with the module beside them.
func TestKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: slow: compiles the tests of kernel for WebAssembly")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not there to run WebAssembly")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the go command is not there to compile")
	}
	dir := t.TempDir()
	module, program := filepath.Join(dir, "simd.wasm"), filepath.Join(dir, "kernel.wasm")
	if err := os.WriteFile(module, Module(), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "test", "-c", "-tags", "simd128", "-o", program, "..")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command("node", filepath.Join("testdata", "node.cjs"), module, filepath.Join("..", "..", "..", "cmd", "page", "kernel.js"),
		strings.TrimSpace(string(root)), program, "-test.v", "-test.run", "Tiers|Softmax").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "/simd128") {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%d bytes; %d tests of the tier passed", len(Module()), strings.Count(string(out), "/simd128"))
}
