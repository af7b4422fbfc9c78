package encode

import (
	"fmt"
	"testing"

	"github.com/moiety-go/moiety/vocab"
)

// TestLocate: features are found where they stand in a text.
func TestLocate(t *testing.T) {
	for _, x := range []struct {
		plan  Plan
		names []string
		text  string
		want  string
	}{
		{Plan{Words: true, MinLength: 2}, []string{"heart", "müde"}, "The HEART, müde–Heart.", "heart HEART;müde müde;heart Heart;"},
		{Plan{Words: true, MinLength: 2, Ngrams: 2, Stopwords: "list", StopList: []string{"of"}}, []string{"failure heart", "heart"}, "failure of heart", "heart heart;failure heart failure;failure heart heart;"},
		{Plan{Words: true, MinLength: 2, Stem: true, Language: "english"}, []string{"pain"}, "pains painful", "pain pains;pain painful;"},
		{Plan{Words: true, MinLength: 2}, []string{"心臓", "臓病"}, "心臓病", "心臓 心臓;臓病 臓病;"},
		{Plan{Words: true, MinLength: 2}, []string{"don", "arte"}, "dell’arte don't", "arte arte;don don;"},
		{Plan{Words: true, MinLength: 2}, []string{"heart"}, "", ""},
	} {
		l, err := NewLocator(&x.plan, vocab.New(x.names))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time words are known
			got := ""
			for _, f := range l.Find(x.text) {
				got += fmt.Sprintf("%s %s;", x.names[f.Feature], x.text[f.From:f.To])
			}
			if got != x.want {
				t.Errorf("%q: %q, want %q", x.text, got, x.want)
			}
		}
	}
}
