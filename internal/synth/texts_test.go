package synth

import (
	"reflect"
	"strings"
	"testing"
)

func TestArticles(t *testing.T) {
	a := Articles(1, 500)
	if !reflect.DeepEqual(a, Articles(1, 500)) || reflect.DeepEqual(a, Articles(2, 500)) {
		t.Error("texts do not follow the seed")
	}
	seen := map[string]int{}
	for _, x := range a {
		seen[x.Theme]++
		if n := len(strings.Fields(x.Text)); n < 30 || strings.Contains(x.Text, "\n") || x.Title == "" {
			t.Fatalf("%d words: %+v", n, x)
		}
	}
	if len(seen) != len(themes()) {
		t.Errorf("themes: %v", seen)
	}
}
