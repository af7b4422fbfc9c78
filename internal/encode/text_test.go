package encode

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/moiety-go/moiety/dataset"
)

func cutAll(t *tokenizer, text string) []string {
	var out []string
	t.cut(text, func(w []byte) { out = append(out, string(w)) })
	return out
}

func TestTokenizer(t *testing.T) {
	for _, c := range []struct {
		text, want string
		t          tokenizer
	}{
		{"Dell’arte, dell'ARTE!", "dell arte dell arte", tokenizer{minLength: 2}},
		{"Don't well-known co\u00adoperate", "don well known cooperate", tokenizer{minLength: 2}},
		{"ÀÉÎ straße ЖИЗНЬ Ωμέγα", "àéî straße жизнь ωμέγα", tokenizer{minLength: 1}},
		{"e\u0301cole", "e\u0301cole", tokenizer{minLength: 2}}, // a mark belongs to its letter
		{"in 1945, covid19 and 3 more", "in covid19 and more", tokenizer{minLength: 2}},
		{"in 1945", "in 1945", tokenizer{minLength: 2, numbers: true}},
		{"IRMAK ılık İstanbul", "ırmak ılık istanbul", tokenizer{minLength: 2, turkish: true}},
		{"bad \xff bytes\xfe\xfd", "bad bytes", tokenizer{minLength: 2}},
		{"", "", tokenizer{}},
		{"a bc def", "def", tokenizer{minLength: 3}},
	} {
		if got := strings.Join(cutAll(&c.t, c.text), " "); got != c.want {
			t.Errorf("%q is cut into %q, want %q", c.text, got, c.want)
		}
	}
}

// A slow twin: split at every rune that is neither letter, mark nor digit.
func TestTokenizerTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	alphabet := []rune("abcXYZ019 .,'’-éÉñßжЖ\u0301\n한글")
	for range 2000 {
		text := make([]rune, rng.IntN(40))
		for i := range text {
			text[i] = alphabet[rng.IntN(len(alphabet))]
		}
		var want []string
		for _, w := range strings.FieldsFunc(string(text), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		}) {
			w = strings.TrimLeftFunc(w, unicode.IsMark)
			if w != "" && strings.ContainsFunc(w, unicode.IsLetter) {
				want = append(want, strings.Map(unicode.ToLower, w))
			}
		}
		if got := cutAll(&tokenizer{minLength: 1}, string(text)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %q, want %q", string(text), got, want)
		}
	}
}

func TestStopLists(t *testing.T) {
	if got := len(Languages()); got != 25 {
		t.Errorf("%d languages, want 25", got)
	}
	for _, language := range Languages() {
		words, ok := stopSetOf(language)
		if !ok || len(words) < 120 || len(words) > 300 {
			t.Errorf("%s has %d stop words", language, len(words))
		}
		for w := range words {
			if cut := cutAll(&tokenizer{minLength: 1}, w); len(cut) != 1 || cut[0] != w {
				t.Errorf("%s: %q is not a word the tokeniser makes", language, w)
			}
		}
	}
	if _, ok := stopSetOf("martian"); ok {
		t.Error("a language without a list has stop words")
	}
}

func TestReadStopList(t *testing.T) {
	list, err := ReadStopList(strings.NewReader("# my words\nThe l’ 2010 # remark\n\ndon't\n"))
	if err != nil || strings.Join(list, " ") != "the l 2010 don t" {
		t.Errorf("list %q, %v", list, err)
	}
	for text, want := range map[string]string{"# nothing\n": "holds no words", "caf\xe9": "not UTF-8"} {
		if _, err := ReadStopList(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLanguages(t *testing.T) {
	for language, text := range map[string]string{
		"english":    "the patient was seen by the doctor and she had been with us for two days when it was over",
		"italian":    "nel mezzo del cammin di nostra vita mi ritrovai per una selva oscura che la diritta via era smarrita",
		"spanish":    "el paciente ha sido visto por la doctora y no se ha quejado de los dolores que tenía en la pierna",
		"french":     "le malade a été vu par le médecin et il ne se plaint pas des douleurs qu'il avait dans la jambe",
		"german":     "der Kranke ist von der Ärztin gesehen worden und er hat nicht mehr über die Schmerzen in dem Bein geklagt",
		"portuguese": "o doente não foi visto pela médica e ele já não se queixa das dores que ele tinha na perna",
		"dutch":      "de patiënt is door de arts gezien en hij heeft niet meer over de pijn in het been geklaagd",
		"russian":    "больной был у врача и он не жаловался на боль в ноге, которая была у него в этот день",
		"turkish":    "hasta doktor tarafından görüldü ve bu ağrı için daha sonra bir şey söylemedi ama çok iyi değil",
		"swedish":    "patienten har blivit sedd av läkaren och han har inte klagat över att det gör ont i benet",
		"catalan":    "el malalt ha estat vist per la metgessa i no es queixa dels dolors que tenia amb aquesta cama",
	} {
		r := encode(t, texts(1, text), Settings{})
		if r.Summary.Plan.Language != language {
			t.Errorf("%s was taken for %q", language, r.Summary.Plan.Language)
		}
	}
	r := encode(t, texts(1, "aorta ventricle stenosis", "kidney dialysis"), Settings{})
	if p := r.Summary.Plan; p.Language != "" || p.Stopwords != "none" {
		t.Errorf("keywords alone were taken for %q", p.Language)
	}
	if !strings.Contains(warnings(r), "The language of the texts was not recognised") {
		t.Errorf("warnings %s", warnings(r))
	}
}

func warnings(r *Result) string {
	var out []string
	for _, w := range r.Summary.Warnings {
		out = append(out, w.Code+": "+w.String())
	}
	return strings.Join(out, "\n")
}

func TestWordsStemsNgrams(t *testing.T) {
	list := []string{
		"The heart failed, and the hearts of others were failing.",
		"A failing heart is not the end of the world",
		"the kidney of the patient",
	}
	r := encode(t, texts(2, list...), Settings{Encoding: dataset.Encoding{Stopwords: "en"}})
	if got := strings.Join(r.Vocab().Names, " "); got != "failing heart end failed hearts kidney patient world" {
		t.Errorf("words %q", got)
	}
	if held(r).Rows.IsBinary() || held(r).Kind.String() != "counts" || r.Vocab().System != "text" {
		t.Error("words should be counted")
	}
	r = encode(t, texts(2, list...), Settings{Encoding: dataset.Encoding{Stopwords: "english", Stem: true}})
	if got := strings.Join(r.Vocab().Names, " "); got != "fail heart end kidney patient world" {
		t.Errorf("stems %q", got)
	}
	r = encode(t, texts(2, list...), Settings{Encoding: dataset.Encoding{Stopwords: "english", Ngrams: 3, Include: []string{"* *"}}})
	want := "end world,failed hearts,failed hearts failing,failing heart,failing heart end,heart end,heart end world,heart failed,heart failed hearts,hearts failing,kidney patient"
	if got := strings.Join(r.Vocab().Names, ","); got != want {
		t.Errorf("n-grams\n got %s\nwant %s", got, want)
	}
	r = encode(t, texts(2, list...), Settings{Encoding: dataset.Encoding{StopList: []string{"The", "of", "heart"}}})
	if strings.Contains(" "+strings.Join(r.Vocab().Names, " ")+" ", " heart ") || r.Summary.Plan.Stopwords != "list" {
		t.Errorf("own list: %q", r.Vocab().Names)
	}
}

func TestStemmers(t *testing.T) {
	for _, language := range Languages() {
		stem, err := stemmer(language)
		if strings.Contains("catalan ukrainian polish czech greek hebrew persian hindi vietnamese", language) {
			if err == nil || !strings.Contains(err.Error(), "no stemmer for "+language) {
				t.Errorf("%s: %v", language, err)
			}
			continue
		}
		if err != nil || stem("x") == "" {
			t.Errorf("%s: %v", language, err)
		}
	}
}

func TestThresholds(t *testing.T) {
	src := func() *fake { return texts(2, "aa aa aa bb bb cc", "aa bb dd", "aa ee", "aa cc") }
	for _, c := range []struct {
		s    Settings
		want string
		rule Rule
	}{
		{Settings{}, "aa bb cc dd ee", Rule{}},
		{Settings{Encoding: dataset.Encoding{MinDF: dataset.Amount{Count: 2}}}, "aa bb cc", Rule{"min-df 2", 5, 3}},
		{Settings{Encoding: dataset.Encoding{MinDF: dataset.Amount{Share: 0.6}}}, "aa", Rule{"min-df 60%", 5, 1}},
		{Settings{Encoding: dataset.Encoding{MaxDF: dataset.Amount{Share: 0.5}}}, "bb cc dd ee", Rule{"max-df 50%", 5, 4}},
		{Settings{Encoding: dataset.Encoding{MaxDF: dataset.Amount{Count: 1}}}, "dd ee", Rule{"max-df 1", 5, 2}},
		{Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Count: 2}}}, "aa bb", Rule{"vocab 2", 5, 2}},
		// 13 tokens: aa 6, bb 3, cc 2, dd 1, ee 1.
		{Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Share: 0.46}}}, "aa", Rule{"vocab 46%", 5, 1}},
		{Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Share: 0.47}}}, "aa bb", Rule{"vocab 47%", 5, 2}},
		{Settings{Encoding: dataset.Encoding{Include: []string{"a*", "DD"}}}, "aa dd", Rule{"include a*,DD", 5, 2}},
		{Settings{Encoding: dataset.Encoding{Exclude: []string{"aa", "?c"}}}, "bb dd ee", Rule{"exclude aa,?c", 5, 3}},
	} {
		c.s.Stopwords = "none"
		r := encode(t, src(), c.s)
		if got := strings.Join(r.Vocab().Names, " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
		last := r.Summary.Rules[len(r.Summary.Rules)-1]
		if c.rule.Name != "" && last != c.rule {
			t.Errorf("rule %+v, want %+v", last, c.rule)
		}
	}
}

// A share that is reached exactly needs no further word: 2 of 4 tokens are half.
func TestShareReached(t *testing.T) {
	r := encode(t, texts(2, "aa aa bb", "cc"), Settings{Encoding: dataset.Encoding{Stopwords: "none", Vocab: dataset.Amount{Share: 0.5}}})
	if got := strings.Join(r.Vocab().Names, " "); got != "aa" {
		t.Errorf("half of the tokens: %q, want aa", got)
	}
}

func BenchmarkTokenizer(b *testing.B) {
	list := folder(b, data(b, "sotu/texts"))
	n := 0
	for _, s := range list {
		n += len(s)
	}
	b.Run("cut", func(b *testing.B) {
		b.SetBytes(int64(n))
		t := tokenizer{minLength: 2}
		for b.Loop() {
			for _, text := range list {
				t.cut(text, func([]byte) {})
			}
		}
	})
	b.Run("number", func(b *testing.B) {
		b.SetBytes(int64(n))
		w := &words{plan: newPlan(Settings{})}
		for b.Loop() {
			p := w.piece()
			w.plan.cut(p, list)
			w.free.Put(p)
		}
	})
}
