package encode

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/record"
)

// people are six records with an age, a sex and an admission date.
func people() *fake {
	return lists("long", record.Presence,
		"428.0 401.9 V10.3", "250.00 414.01", "4280 585.9 E812.0", "042 250.00", "414.01 401.9", "585.9 V45.81 272.4").
		side("age", "71", "", "64", "9", "101", "64").
		side("sex", "F", "M", "f", "F", "M", "").
		side("admitted", "2009-12-31", "20100101", "2010-05-01 10:30:00", "", "2011-01-01", "2010-02-03").
		side("home ward", "N 1", "N 2", "S 1", "S 1", "N 1", "S 2").
		ids("a", "b", "c", "d", "e", "f")
}

func TestWhere(t *testing.T) {
	for _, c := range []struct{ where, want string }{
		{"age < 100", "a c d f"},
		{"AGE >= 64 and age <= 71", "a c f"},
		{"age != 64", "a d e"},
		{"not age = 64", "a d e"}, // the missing age stays undecided
		{"age is missing", "b"},
		{"age is not missing", "a c d e f"},
		{"not (age is missing or age > 100)", "a c d f"},
		{"sex = F", "a c d"},
		{"sex = 'f' or age is missing", "a b c d"},
		{"sex in (F, M)", "a b c d e"},
		{"age in (9, 101)", "d e"},
		{"admitted >= 2010-01-01 and admitted < 2011-01-01", "b c f"},
		{"admitted = '2010-05-01'", "c"},
		{`"home ward" = "s 1"`, "c d"},
		{"has code 428", "a c"},
		{"has 428.0", "a c"},
		{"has code v", "a f"},
		{"not has 428 and (has 414 or has 042)", "b d e"},
		{"has code 250 and age < 10", "d"},
	} {
		r := encode(t, people(), Settings{Encoding: dataset.Encoding{Where: c.where}})
		if got := strings.Join(held(r).IDs, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.where, got, c.want)
		}
	}
}

func TestWhereCounts(t *testing.T) {
	r := encode(t, people(), Settings{Encoding: dataset.Encoding{Where: "age < 100"}})
	want := []Count{{"condition not met", 1}, {"a value of the condition is missing", 1}}
	if len(r.Summary.LeftOut) != 2 || r.Summary.LeftOut[0] != want[0] || r.Summary.LeftOut[1] != want[1] {
		t.Errorf("left out %v", r.Summary.LeftOut)
	}
	if r.Summary.Read != 6 || r.Summary.Kept != 4 {
		t.Errorf("%d read, %d kept", r.Summary.Read, r.Summary.Kept)
	}
	if !strings.Contains(warnings(r), "where-missing: 1 record was left out because") {
		t.Errorf("warnings %s", warnings(r))
	}
	if side, ok := held(r).SideColumn("age"); !ok || strings.Join(side.Values, " ") != "71 64 9 64" {
		t.Errorf("side column %v", side)
	}
}

func TestWhereErrors(t *testing.T) {
	for where, want := range map[string]string{
		"age <":             `at character 6 of "age <": expected a value, found "the end"`,
		"age 5":             `after "age" expected = != < <= > >= in or is missing, found "5"`,
		"age < old":         `< needs a number or a date such as 2010-01-31, not "old"`,
		"(age < 5":          `expected ), found "the end"`,
		"age < 5 sex = F":   `at character 9`,
		"sex = 'F":          "a quote is not closed",
		"has":               "has needs a code, such as has code 428",
		"sex in F":          "in needs a list, such as in (1, 2)",
		"sex in (F M)":      `expected , or ) in the list, found "M"`,
		"age is 5":          `expected missing, found "5"`,
		"":                  "",
		"and":               `after "and" expected`,
		"agee < 5":          `at character 1 of "agee < 5": there is no column "agee" (did you mean "age"?); the side columns are age, sex, admitted, home ward`,
		"sex=F and zip > 3": `at character 11 of "sex=F and zip > 3": there is no column "zip"; the side`,
		"age > 1000":        `no records are left of 6: no record meets "age > 1000"`,
	} {
		_, err := Encode(t.Context(), people(), Settings{Encoding: dataset.Encoding{Where: where}}, nil)
		if where == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", where, err, want)
		}
	}
}

// A condition may be long, and not deep.
func TestWhereLongAndDeep(t *testing.T) {
	parts := make([]string, 20000)
	for i := range parts {
		parts[i] = "age = 1000"
	}
	parts[len(parts)-1] = "age < 100"
	long := strings.Join(parts, " or ")
	r := encode(t, people(), Settings{Encoding: dataset.Encoding{Where: long}})
	if got := strings.Join(held(r).IDs, " "); got != "a c d f" {
		t.Errorf("a long condition: %s", got)
	}
	immense := numtest.Scale(1e5, 1e6, 1e6)
	for deep, ok := range map[string]bool{
		strings.Repeat("(", 100) + "age < 100" + strings.Repeat(")", 100): true,
		strings.Repeat("(", immense) + "age < 100":                        false,
		strings.Repeat("not ", immense) + "age < 100":                     false,
	} {
		_, err := ParseWhere(deep)
		if (err == nil) != ok || err != nil && (len(err.Error()) > 500 || !strings.Contains(err.Error(), "inside each other")) {
			t.Errorf("%.10s…: %.300v", deep, err)
		}
	}
}

// Every condition that can be read can be decided, and says the same when it is
// turned round twice.
func FuzzWhere(f *testing.F) {
	for _, s := range []string{
		"age < 5", "not (a = 'x' or has code 428)", "a in (1, 2)", "((", "a is not missing", "has code and",
		"age >= 2010-01-01 and not age = 20100101", "a = 1e999 or a != nan", "'' = ''", "a<=-0", "x in (\"\")",
	} {
		f.Add(s, "64", "2010-05-01 10:30")
	}
	f.Fuzz(func(t *testing.T, s, a, b string) {
		w, err := ParseWhere(s)
		if err != nil {
			return
		}
		side := []string{}
		w.root.walk(func(n node) error {
			if c, ok := n.(*compareNode); ok {
				side = append(side, c.column)
			}
			return nil
		})
		if err := w.bind(side, 2, func(name string, raw int) bool { return len(name)%2 == raw }); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		at := &sample{feature: func(i int) []uint32 { return []uint32{uint32(i % 2)} }}
		for range side {
			at.side = append(at.side, []string{a, b, ""})
		}
		for i := range 3 {
			if x, y := w.root.judge(at, i), (notNode{notNode{w.root}}).judge(at, i); x != y {
				t.Fatalf("%q of %q, %q: %d, and turned twice %d", s, a, b, x, y)
			}
		}
	})
}
