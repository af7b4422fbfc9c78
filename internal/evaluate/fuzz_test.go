package evaluate

import (
	"strings"
	"testing"
)

// FuzzLabels reads any file of labels: it is read or refused, and agrees with
// itself.
func FuzzLabels(f *testing.F) {
	for _, s := range []string{"id,group\na,1\nb,2\n", "id,group,probability\n'=1,1,0.5\n", "\ufeffID,Label\n\"a\nb\",x\n", "id\n", "id,group\na\n", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		labels, err := ReadLabels(strings.NewReader(s))
		if err != nil || len(labels) == 0 {
			return
		}
		same, err := Join(labels, labels)
		if err == nil && (same.N != len(labels) || same.OnlyA != 0 || same.ARI < 1-1e-9) {
			t.Errorf("labels against themselves: %+v", same)
		}
	})
}
