package encode

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// speeches makes n texts: "common" in all, "half" in the first half of them and
// one more, "three" in three, "two" in two, and many words in ten or more.
func speeches(n int) []string {
	rng := rand.New(rand.NewPCG(3, 4))
	list := make([]string, n)
	for i := range list {
		words := []string{"common"}
		if i < n/2 {
			words = append(words, "half")
		}
		if i <= n/2 {
			words = append(words, "more")
		}
		if i < 3 {
			words = append(words, "three")
		}
		if i < 2 {
			words = append(words, "two")
		}
		for range 30 {
			words = append(words, name(rng.IntN(300)))
		}
		list[i] = strings.Join(words, " ")
	}
	return list
}

// name is a word of letters for a number.
func name(n int) string {
	return "w" + string(rune('a'+n/26%26)) + string(rune('a'+n%26)) + string(rune('a'+n/676))
}

// A vocabulary that nobody asked for: both sides of each bound.
func TestSensibleVocabulary(t *testing.T) {
	r := encode(t, texts(50, speeches(300)...), Settings{Encoding: dataset.Encoding{Stopwords: "none"}})
	v := r.Vocab().Names
	for word, want := range map[string]bool{"common": false, "half": true, "more": false, "three": true, "two": false} {
		if got := slices.Contains(v, word); got != want {
			t.Errorf("%q is in the vocabulary: %v", word, got)
		}
	}
	if last := r.Summary.Rules[len(r.Summary.Rules)-1]; last.Name != "words in 3 to 150 records, 5000 at most" || last.After != len(v) {
		t.Errorf("rule %+v", last)
	}
	all := encode(t, texts(50, speeches(300)...), Settings{Encoding: dataset.Encoding{Stopwords: "none", AllWords: true}})
	if all.Vocab().Len() != len(v)+3 || !slices.Contains(all.Vocab().Names, "common") {
		t.Errorf("all words: %d, with rules %d", all.Vocab().Len(), len(v))
	}
	// Under 200 documents two are enough.
	if r = encode(t, texts(50, speeches(150)...), Settings{Encoding: dataset.Encoding{Stopwords: "none"}}); !slices.Contains(r.Vocab().Names, "two") {
		t.Error("of 150 documents a word in two is left out")
	}
	// Three are enough of any number: short texts have few words, and hardly any in many of them.
	if v := encode(t, texts(50, speeches(1200)...), Settings{Encoding: dataset.Encoding{Stopwords: "none"}}).Vocab().Names; !slices.Contains(v, "three") || slices.Contains(v, "two") {
		t.Error("of 1,200 documents a word in three is left out, or one in two is not")
	}
	// An asked bound alone counts.
	if r = encode(t, texts(50, speeches(300)...), Settings{Encoding: dataset.Encoding{Stopwords: "none", MinDF: dataset.Amount{Count: 2}}}); !slices.Contains(r.Vocab().Names, "common") {
		t.Error("with --min-df other words are left out")
	}
}

// Few words stay all; of many never fewer than 200.
func TestVocabularyIsNeverSmall(t *testing.T) {
	r := encode(t, texts(50, "red green red", "green blue", "red once", "red"), Settings{Encoding: dataset.Encoding{Stopwords: "none"}})
	if r.Vocab().Len() != 4 {
		t.Errorf("%d of 4 words", r.Vocab().Len())
	}
	var rare []string
	for i := range 500 {
		rare = append(rare, "all "+name(i))
	}
	if r = encode(t, texts(50, rare...), Settings{Encoding: dataset.Encoding{Stopwords: "none"}}); r.Vocab().Len() != leastWords || slices.Contains(r.Vocab().Names, "all") {
		t.Errorf("%d words", r.Vocab().Len())
	}
}

// Counts of words have such a vocabulary, and their model takes texts; genes
// and numbered columns keep every column.
func TestCountsOfWords(t *testing.T) {
	src := lists("uci", record.Counts, speeches(300)...)
	r := encode(t, src, Settings{})
	if !r.Summary.Plan.Words || slices.Contains(r.Vocab().Names, "common") {
		t.Errorf("plan %+v, %d words", r.Summary.Plan, r.Vocab().Len())
	}
	met := ""
	a, err := Apply(t.Context(), texts(2, "Three, three! Unheard-of.", "HALF"), r.Summary.Plan, r.Vocab(), 1, func(first int, d *dataset.Dataset) error {
		for i := range d.Len() {
			index, value := d.Rows.Row(i)
			for e, h := range index {
				met += fmt.Sprintf("%d:%s=%g ", first+i, d.Vocab.Names[h], value[e])
			}
		}
		return nil
	})
	if err != nil || met != "0:three=2 1:half=1 " || a.UnknownUses != 2 {
		t.Errorf("texts are %q, %+v (%v)", met, a, err)
	}
	genes := make([]string, 300)
	for i := range genes {
		genes[i] = fmt.Sprintf("ACTB CD%d%c RPL%d", i%40, 'A'+i%5, i%90)
	}
	if r = encode(t, lists("mtx", record.Counts, genes...), Settings{}); r.Summary.Plan.Words || !slices.Contains(r.Vocab().Names, "ACTB") {
		t.Error("genes are taken for words")
	}
	falls := slices.Repeat([]string{"visits falls falls stays", "visits visits calls"}, 40)
	if r = encode(t, lists("counts", record.Counts, falls...), Settings{}); r.Summary.Plan.Words || r.Vocab().System != "" {
		t.Error("the four columns of a table are taken for a vocabulary")
	}
}

// Records that share nothing with the model are not placed, not even the first
// of them; one that does lets all others through.
func TestNothingKnown(t *testing.T) {
	r := encode(t, wards(), Settings{})
	placed := 0
	yield := func(_ int, d *dataset.Dataset) error { placed += d.Len(); return nil }
	unknown := make([]string, 9000)
	for i := range unknown {
		unknown[i] = "999.1 888"
	}
	_, err := Apply(t.Context(), lists("long", record.Presence, unknown...), r.Summary.Plan, r.Vocab(), 1, yield)
	if !errors.Is(err, ErrUnknown) || placed != 0 || !strings.Contains(err.Error(), "888") {
		t.Errorf("%d placed, %v", placed, err)
	}
	unknown[8999] = "428.0"
	a, err := Apply(t.Context(), lists("long", record.Presence, unknown...), r.Summary.Plan, r.Vocab(), 1, yield)
	if err != nil || placed != 9000 || a.Empty != 8999 {
		t.Errorf("%d placed, %+v, %v", placed, a, err)
	}
	// Records without any feature are placed by the sizes of the groups.
	placed = 0
	if _, err = Apply(t.Context(), lists("long", record.Presence, "", ""), r.Summary.Plan, r.Vocab(), 1, yield); err != nil || placed != 2 {
		t.Errorf("empty records: %d placed, %v", placed, err)
	}
}

// Scripts without blanks are cut into pairs of characters, katakana and other
// scripts into runs.
func TestPairs(t *testing.T) {
	for text, want := range map[string]string{
		"すべての人間":        "すべ べて ての の人 人間",
		"東京 タワー2020 ok": "東京 タワー2020 ok",
		"ABC東京都x":       "abc 東京 京都",
		"人":             "",
		"การแพทย์":      "กา าร รแ แพ พท ทย์",
		"한국 사람":         "한국 사람",
		"don't、不好":      "don 不好",
	} {
		var got []string
		c := tokenizer{minLength: 2}
		c.cut(text, func(word []byte) { got = append(got, string(word)) })
		if strings.Join(got, " ") != want {
			t.Errorf("%s is cut into %q, want %q", text, got, want)
		}
	}
	r := encode(t, texts(5, "人人生而自由，在尊严和权利上一律平等", "他们赋有理性和良心"), Settings{})
	if !slices.ContainsFunc(r.Summary.Warnings, func(w warn.Warning) bool { return w.Code == "pairs" }) {
		t.Errorf("warnings %v", r.Summary.Warnings)
	}
}

// Elisions and more languages: what the apostrophe leaves over is no word, and
// the language is found.
func TestMoreLanguages(t *testing.T) {
	for language, text := range map[string]string{
		"italian":    "ch'io l'ho visto, e quest'uomo non è ch'un altro di quelli che sono con noi",
		"polish":     "nie wiem, czy to jest tak, jak on mówi, ale może być, że się myli i że nie ma racji",
		"czech":      "nevím, jestli je to tak, jak říká, ale může být, že se mýlí a že to není pravda",
		"greek":      "δεν είναι αυτό που είπε για την πόλη και για τους ανθρώπους της, αλλά θα το δούμε",
		"arabic":     "هذا هو ما كان في المدينة التي كانت على النهر من قبل أن تكون هذه",
		"vietnamese": "tôi không biết là anh ấy có đến hay không nhưng đó là một việc của những người này",
		"ukrainian":  "я не знаю, чи це так, як він каже, але може бути, що він і не має рації, бо це було у них",
	} {
		r := encode(t, texts(5, text, text), Settings{})
		if r.Summary.Plan.Language != language || slices.Contains(r.Vocab().Names, "ch") {
			t.Errorf("%s is taken for %q: %q", language, r.Summary.Plan.Language, r.Vocab().Names)
		}
	}
}
