package source

import (
	"context"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/moiety-go/moiety/record"
)

// Texts of the scripts, as written for these tests.
var speech = map[string]string{
	"french":      "l'hôpital a reçu vingt malades, très fatigués, à la fin de l'été; où étaient les médecins?",
	"german":      "die Ärzte prüfen täglich, ob die Müdigkeit größer wird und wie es den Kranken geht",
	"spanish":     "el corazón del niño está débil; ¿cuándo llegó el médico a la habitación?",
	"polish":      "pacjent był zmęczony i skarżył się na ból głowy, więc lekarz zalecił więcej odpoczynku w łóżku",
	"czech":       "pacient si stěžoval na únavu a bolest hlavy, lékař mu proto doporučil více odpočinku a příště přijít dříve",
	"hungarian":   "a beteg fáradtságra és fejfájásra panaszkodott, ezért az orvos több időt kért a gyógyuláshoz, külső segítő nélkül",
	"turkish":     "hasta yorgunluktan ve baş ağrısından yakındı, doktor ona daha çok dinlenmesini söyledi, iyileşmesi için",
	"russian":     "больной жаловался на усталость и головную боль, поэтому врач посоветовал ему больше отдыхать",
	"greek":       "ο ασθενής παραπονέθηκε για κούραση και πονοκέφαλο, και ο γιατρός του είπε να ξεκουραστεί",
	"hebrew":      "החולה התלונן על עייפות וכאב ראש והרופא אמר לו לנוח יותר",
	"arabic":      "اشتكى المريض من التعب والصداع فنصحه الطبيب بالراحة أكثر",
	"thai":        "ผู้ป่วยบ่นเรื่องความเหนื่อยล้าและปวดหัว แพทย์จึงแนะนำให้พักผ่อนมากขึ้น",
	"japanese":    "患者は疲れと頭痛を訴えたので、医師はもっと休むように言いました。",
	"korean":      "환자는 피로와 두통을 호소했고 의사는 더 많이 쉬라고 말했다",
	"simplified":  "病人说他很累，头也痛，所以医生要他在家里多休息，不要去上学，过几天再来看看会不会好一些",
	"traditional": "病人說他很累，頭也痛，所以醫生要他在家裡多休息，不要去上學，過幾天再來看看會不會好一些",
}

// Every script in the encodings that files of it come in is read back, by the
// guess and by name.
func TestEncodings(t *testing.T) {
	for name, languages := range map[string]string{
		"windows-1252": "french german spanish", "cp850": "french german spanish", "macintosh": "french german",
		"windows-1250": "polish czech hungarian", "windows-1254": "turkish", "windows-1251": "russian", "koi8-r": "russian", "ibm866": "russian",
		"windows-1253": "greek", "windows-1255": "hebrew", "windows-1256": "arabic", "windows-874": "thai",
		"shift_jis": "japanese", "euc-jp": "japanese", "euc-kr": "korean", "gbk": "simplified", "big5": "traditional",
	} {
		enc, err := Encoding(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, language := range strings.Fields(languages) {
			want := "id,note\n1,plain words first\n2," + speech[language] + "\n"
			check(t, name+" "+language, enc, want, "")
			check(t, name+" "+language+", named", enc, want, name)
		}
	}
	for name, enc := range map[string]encoding.Encoding{
		"UTF-16LE": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "UTF-16BE": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
		"UTF-32LE": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "UTF-32BE": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	} {
		check(t, name, enc, "id,note\n1,plain words\n2,"+speech["french"]+"\n", "")
	}
	if _, err := Encoding("klingon"); err == nil || !strings.Contains(err.Error(), "shift_jis") {
		t.Errorf("unknown encoding: %v", err)
	}
}

func check(t *testing.T, what string, enc encoding.Encoding, want, named string) {
	t.Helper()
	stored, err := enc.NewEncoder().String(want)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	in := Bytes("t.csv", []byte(stored))
	in.Encoding = named
	p := new(record.Problems)
	r, err := in.Text(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	r.Close()
	if err != nil || string(got) != want || (named == "") != (len(p.Notes) == 1) {
		t.Errorf("%s: %.90q (%v), notes %q", what, got, err, p.Notes)
	}
}

// Byte order marks in the middle of joined files are dropped, in clean text and in
// text with foreign bytes.
func TestMarksInside(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeffid,é\n1,2\n\ufeffid,é\n3,4\n": "id,é\n1,2\nid,é\n3,4\n",
		"é\ufeff\ufeff":                      "é",
		"é\ufeffa\xe9b\ufeffc":               "éaébc",
	} {
		r, err := Bytes("a.csv", []byte(text)).Text(t.Context(), new(record.Problems))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("%q is %q (%v), want %q", text, got, err, want)
		}
	}
}
