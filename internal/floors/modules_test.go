package floors

import (
	"os"
	"strings"
	"testing"
)

// TestNoBeam: clusters are a module of their own, and who builds moiety downloads nothing
// of Beam, Flink or stores. go.sum has every module that `go list -m all` knows.
func TestNoBeam(t *testing.T) {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"apache/beam", "aws-sdk", "cloud.google.com"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s names %s", name, word)
			}
		}
	}
}
