package codes

import (
	"strings"
	"testing"
)

// FuzzTitles reads any file of titles: it is read or refused.
func FuzzTitles(f *testing.F) {
	for _, s := range []string{"428,Heart failure\n", "code\ttitle\n250.00\tDiabetes\n", "\"4\"\"8\",\"a\nb\"\n", "428\n", ",\n", "\ufeffcode,title\n1,2,3\n", "'=1,x\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		titles, err := ReadTitles(strings.NewReader(s))
		if err != nil && titles != nil {
			t.Errorf("an error (%v) and %d titles", err, len(titles))
		}
		for code := range titles {
			_ = Normalize(code)
		}
	})
}
