package study

import (
	"strings"
	"testing"
)

// Names of sites are names of files everywhere: both sides of every bound.
func TestNamesOfSites(t *testing.T) {
	for name, good := range map[string]bool{
		"A": true, "Klinik Süd 2": true, "北京": true, "x.y_z-1": true, strings.Repeat("é", 40): true,
		"": false, " a": false, "-a": false, ".a": false, "a.": false, "a ": false, "a/b": false, `a\b`: false,
		"a:b": false, "a\n": false, "a\xff": false, strings.Repeat("é", 41): false,
	} {
		if err := CheckName(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}
