package encode

import "testing"

// One word tells no language, and three different stop words do.
func TestLanguageOfFewWords(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"word"}, ""},
		{[]string{"the", "and", "valve"}, ""},
		{[]string{"the", "and", "with", "valve"}, "english"},
	} {
		freq := make([]float64, len(c.words))
		for i := range freq {
			freq[i] = 9
		}
		if got, _ := detectLanguage(c.words, freq); got != c.want {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}
