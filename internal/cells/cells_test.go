package cells

import (
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "428": "428", "heart failure": "heart failure", "a=b": "a=b", "'": "'", "'a": "'a", "'5": "'5",
		"=1+1": "'=1+1", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-2+3": "'-2+3", "@SUM(1)": "'@SUM(1)",
		"\t=1": "'\t=1", "\r=1": `\x0d=1`, "\n=1": "'\n=1", "＝1": "'＝1", "＠x": "'＠x",
		"'=1": "''=1", "''=1": "'''=1", "'-5": "''-5", // or the way back would take one off
		// Numbers stay numbers.
		"-5": "-5", "+3.5": "+3.5", "-1e-7": "-1e-7", "-.5": "-.5", "+": "+", "-": "-",
		"-0x1p3": "'-0x1p3", "-inf": "'-inf", "+1_000": "'+1_000", "--5": "'--5",
	} {
		got, changed := Guard(in)
		if got != want || changed != strings.HasPrefix(want, "'"+Visible(in)) {
			t.Errorf("Guard(%q) is %q, %v; want %q", in, got, changed, want)
		}
		if back := Unguard(got); back != Visible(in) {
			t.Errorf("%q comes back as %q", in, back)
		}
	}
}

func FuzzGuard(f *testing.F) {
	for _, s := range []string{"=1", "'=1", "-5", "'-5", "''", "＝", "+", "'+", "\xff=", "-0x1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, _ := Guard(s)
		if Unguard(g) != Visible(s) {
			t.Fatalf("%q is written %q and read %q", s, g, Unguard(g))
		}
		if begins(g) && !isNumber(g) {
			t.Fatalf("%q is written %q, a formula", s, g)
		}
	})
}

func TestMark(t *testing.T) {
	for _, names := range [][]string{{"code"}, {"code", "count"}, {"a,b", "age"}, {`say "x"`, "b", " c"}, {"two\nlines", "x"}} {
		line, err := Header(names)
		if err != nil {
			t.Fatal(err)
		}
		if !Marked(append(line, "1,2,3\n"...)) {
			t.Errorf("%q is not known", line)
		}
	}
	for _, head := range []string{
		"", "id,code\n1,428\n", // by hand
		`"id","code"` + "\n\"1\",\"428\"\n", // R
		`"id","a,b"` + "\n1,2\n",            // cannot be told from R's
		`"id"` + "\n1\n", `"id",code`, `"ID",code` + "\n", `"id",code,"count"` + "\n", "\"id\",\"\n",
		`"id",co"de` + "\n", "\"id\",code\r\n1,2\r\n",
	} {
		if Marked([]byte(head)) {
			t.Errorf("%q is taken for ours", head)
		}
	}
	if line, _ := Header([]string{"code"}); !strings.HasPrefix(string(line), `"id",code`) {
		t.Errorf("the header is %q", line)
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "plain", "two\nlines", `back\slash`, `\n`, `\\n`, " around ", "  ", "tab\there", `\0`, "a\r\nb", `ends\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l := Line(s)
		if Unline(l) != s {
			t.Fatalf("%q is written %q and read %q", s, l, Unline(l))
		}
		if l == "" || strings.ContainsAny(l, "\n\r\t") || strings.Trim(l, " ") != l {
			t.Fatalf("%q is written %q, which is no line", s, l)
		}
	})
}

// A sign alone is freed as well as a formula.
func TestUnguardShort(t *testing.T) {
	for guarded, want := range map[string]string{"'=": "=", "'@": "@", "'": "'", "'-": "'-", "''=": "'=", "=": "="} {
		if got := Unguard(guarded); got != want {
			t.Errorf("%q became %q, want %q", guarded, got, want)
		}
	}
}
