package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// survey writes four yes-or-no questions of two kinds of people.
func survey(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("q1,q2,q3,q4,q5,age,sex\n")
	for i := range 400 {
		row := make([]string, 5)
		for q := range row {
			row[q] = "no"
			if (i%5 < 3) != ((i*7+q*13+i*i%11*q)%10 < 2) { // three in five mostly yes, one answer in five against it
				row[q] = "yes"
			}
		}
		fmt.Fprintf(&b, "%s,%d,%s\n", strings.Join(row, ","), 20+i*7%61, []string{"f", "m"}[i*i%3%2])
	}
	path := filepath.Join(t.TempDir(), "survey.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// done runs a command that must succeed and returns what it printed.
func done(t *testing.T, args ...string) string {
	t.Helper()
	code, out, said := do(t, args...)
	if code != 0 {
		t.Fatalf("%v: exit %d: %s", args, code, said)
	}
	return out
}

// TestNoParameters: who asks for standard errors where there are none hears why, and the way to them.
func TestNoParameters(t *testing.T) {
	numtest.NotShort(t)
	folder := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct {
		fit, show []string
		want      string
	}{
		{[]string{"--label", "sex", "-k", "2"}, nil, "numbers are among the answers: age. Fit again with --label age"},
		{[]string{"--label", "age,sex", "-k", "2"}, []string{"--share"}, "leave --share out"},
		{[]string{"--label", "age,sex", "--leaves", "2"}, nil, "fit answers or presences with -k"},
	} {
		done(t, append([]string{"fit", survey(t), "-o", folder, "-q", "--force"}, c.fit...)...)
		if code, _, said := do(t, append([]string{"show", folder, "--parameters"}, c.show...)...); code != 2 || !strings.Contains(said, c.want) {
			t.Errorf("fit %v, show %v: exit %d: %s", c.fit, c.show, code, said)
		}
	}
}

// TestLatentClasses: from a file to the tables of a paper.
func TestLatentClasses(t *testing.T) {
	numtest.NotShort(t)
	dir := t.TempDir()
	folder := filepath.Join(dir, "run")
	done(t, "fit", survey(t), "--label", "age,sex", "-k", "2", "--prior", "0", "-o", folder, "-q")
	page := done(t, "show", folder, "--parameters")
	for _, want := range []string{"entropy R²", "prior, in records", "starts that reached the best maximum", "average posterior", "Local independence"} {
		if !strings.Contains(page, want) {
			t.Errorf("show --parameters lacks %q:\n%s", want, page)
		}
	}
	done(t, "export", folder, "--to", "csv", "-o", filepath.Join(dir, "tables"), "-q")
	for name, head := range map[string]string{
		"parameters.csv":     "group,question,feature,probability,se,se_outer,se_resampled,low,high,edge\n",
		"classification.csv": "group,n,1,2\n", "fit.csv": "measure,value\n", "residuals.csv": "a,b,residual,x2,df,dependent\n",
		"weights.csv": "group,weight,se,low,high\n",
	} {
		text, err := os.ReadFile(filepath.Join(dir, "tables", name))
		if err != nil || !strings.HasPrefix(string(text), head) {
			t.Errorf("%s begins %.80q (%v)", name, text, err)
		}
	}
	done(t, "export", folder, "--to", "csv", "-o", filepath.Join(dir, "tables"), "-q") // our own are replaced
	var doc struct {
		LogLikelihood float64 `json:"log_likelihood"`
		Prior         *float64
		Classes       struct {
			BLRT struct {
				P          float64
				Replicates int
			}
			EntropyR2 float64 `json:"entropy_r2"`
			G2        float64
		}
	}
	if err := json.Unmarshal([]byte(done(t, "eval", folder, "--blrt", "19", "--json", "-q")), &doc); err != nil {
		t.Fatal(err)
	}
	if c := doc.Classes; c.BLRT.Replicates != 19 || c.BLRT.P < .05 || c.BLRT.P > 1 || c.EntropyR2 < .5 || c.G2 <= 0 || doc.Prior == nil || *doc.Prior != 0 || doc.LogLikelihood >= 0 {
		t.Errorf("%+v", doc)
	}
	three := done(t, "eval", folder, "--three-step", "age,sex", "-q")
	for _, want := range []string{"age, mean by group", "sex = m, share by group", "log-odds of group 1"} {
		if !strings.Contains(three, want) {
			t.Errorf("eval --three-step lacks %q:\n%s", want, three)
		}
	}
	shown := done(t, "show", folder, "--three-step", "age,sex")
	for _, want := range []string{"Mean of age", "Share of sex = m", "Who belongs where, for one more of age", "odds ratio", "three steps, BCH"} {
		if !strings.Contains(shown, want) {
			t.Errorf("show --three-step lacks %q:\n%s", want, shown)
		}
	}
	done(t, "export", folder, "--to", "csv", "--three-step", "age", "-o", filepath.Join(dir, "steps"), "-q")
	if text, err := os.ReadFile(filepath.Join(dir, "steps", "outcomes.csv")); err != nil || !strings.HasPrefix(string(text), "column,answer,group,counted,mean,se,") || strings.Count(string(text), "\n") != 3 {
		t.Errorf("outcomes.csv: %s (%v)", text, err)
	}
	done(t, "report", folder, "--three-step", "age,sex", "-o", filepath.Join(dir, "steps.html"), "-q")
	if text, err := os.ReadFile(filepath.Join(dir, "steps.html")); err != nil || !strings.Contains(string(text), "by three steps</h2>") {
		t.Errorf("the report has no outcomes by three steps (%v)", err)
	}
	done(t, "report", folder, "--three-step", "age", "--full", "-o", filepath.Join(dir, "steps.pdf"), "-q")
	if text, err := os.ReadFile(filepath.Join(dir, "tables", "groups.csv")); err != nil || !strings.HasPrefix(string(text), "group,age,age_low,age_high,") {
		t.Errorf("groups.csv begins %.80q (%v)", text, err)
	}
	for _, args := range [][]string{
		{"eval", folder, "--three-step", "agee"},
		{"show", folder, "--three-step", "agee"},
		{"show", folder, "--three-step", "age", "--share"},
		{"export", folder, "--three-step", "age", "--to", "npz", "-o", filepath.Join(dir, "x.npz")},
		{"fit", survey(t), "-k", "2", "--prior", "-1", "-o", filepath.Join(dir, "x")},
		{"fit", survey(t), "-k", "2", "--prior", "some", "-o", filepath.Join(dir, "x")},
		{"show", folder, "1", "--parameters"},
		{"eval", folder, "--blrt", "-3"},
		{"show", folder, "--parameters", "--share"},
	} {
		if code, _, err := do(t, args...); code != 2 || !strings.Contains(err, "--") {
			t.Errorf("%v: exit %d, %s", args, code, err)
		}
	}
}

// TestOwnParametersEverywhere: what is shown of a latent class is its own
// parameter, weighted by posteriors, with an interval that carries the
// uncertainty of membership, in every output, and not the share among those put
// into it (reference-numbers.md §7.2: class 3 of gss82, PURPOSE=Good .1427, where
// 4 of 219 were counted).
func TestOwnParametersEverywhere(t *testing.T) {
	data := numtest.Data(t, "lca", "gss82.csv")
	dir := t.TempDir()
	folder := filepath.Join(dir, "run")
	done(t, "fit", data, "-k", "3", "--prior", "0", "-o", folder, "-q")
	if page := done(t, "show", folder, "3"); !strings.Contains(page, "PURPOSE=Good               4   14 %     76 %    0.2          3–48 %") || !strings.Contains(page, "17 % of all records (95 % interval 11 % to 25 %); 219 records put into it") {
		t.Errorf("show:\n%s", page)
	}
	html := filepath.Join(dir, "report.html")
	done(t, "report", folder, "-o", html, "-q")
	text, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	if page := string(text); !strings.Contains(page, `<th scope="row">PURPOSE=Good</th><td>4</td><td>14 %</td><td>76 %</td><td>0.2</td><td>3–48 %</td>`) {
		t.Error("the report's table of class 3 has not its own parameter")
	}
	var doc struct {
		Groups []struct {
			Share, Low, High float64
			Rare             []struct {
				Name             string
				Share, Low, High float64
			}
		}
	}
	if err := json.Unmarshal([]byte(done(t, "show", folder, "--json")), &doc); err != nil {
		t.Fatal(err)
	}
	g := doc.Groups[2]
	if len(g.Rare) == 0 || g.Rare[0].Name != "PURPOSE=Good" || numtest.Off(g.Rare[0].Share, .1427, .001) || numtest.Off(g.Share, .1723, .001) || !(g.Low < .12 && g.High > .24) || !(g.Rare[0].Low < .04 && g.Rare[0].High > .4) {
		t.Errorf("json: %+v", g)
	}
	done(t, "export", folder, "--to", "csv", "-o", filepath.Join(dir, "tables"), "-q")
	text, err = os.ReadFile(filepath.Join(dir, "tables", "topics.csv"))
	if err != nil || !strings.Contains(string(text), "PURPOSE=Good") || !strings.Contains(string(text), ",0.14268") {
		t.Errorf("topics.csv: %v\n%s", err, text)
	}
}
