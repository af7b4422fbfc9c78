package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/sparse"
)

// TestHelpMethods: the list names every method and every model, each with a paper
// and a command.
func TestHelpMethods(t *testing.T) {
	out := done(t, "help", "methods")
	for _, m := range fit.Methods() {
		if !strings.Contains(out, "\n  "+m.Name+"  "+m.Paper) || !strings.Contains(out, "--method "+m.Name+" ") {
			t.Errorf("%s is not listed with its paper and its command", m.Name)
		}
	}
	for _, m := range model.Names() {
		if !strings.Contains(out, "--model "+m) {
			t.Errorf("the model %s is not listed", m)
		}
	}
	for _, g := range allMethods() {
		for _, m := range g.list {
			if m.paper == "" || m.words == "" || !strings.HasPrefix(m.command, "moiety ") {
				t.Errorf("%s: paper %q, words %q, command %q", m.name, m.paper, m.words, m.command)
			}
		}
	}
	for _, line := range strings.Split(out, "\n") {
		if len([]rune(line)) > 120 {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
}

// TestMethodCommands runs every command of the list as it stands there.
func TestMethodCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("runs forty fits: not under -short")
	}
	dir := t.TempDir()
	methodData(t, dir)
	said := map[string]bool{}
	for _, g := range allMethods() {
		for _, m := range g.list {
			if said[m.command] {
				t.Errorf("%s: its command is another's: %s", m.name, m.command)
			}
			said[m.command] = true
			args := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(m.command, "moiety "), "'", ""))
			if args[0] == "fit" {
				args = append(args, "--force")
			}
			c := child(t, args...)
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", m.command, err, out)
			}
		}
	}
}

// methodData writes the files that the commands name.
func methodData(t *testing.T, dir string) {
	t.Helper()
	write := func(name string, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	patients := synth.ExponentialBernoulli(1, 1500, 36, 3, synth.UniformWeights)
	write("patients.csv", csvOf(patients.Rows, "code"))
	write("counts.csv", csvOf(synth.PoissonMixture(1, 1000, 24, 3, 30).Rows, "count"))
	write("views.csv", viewsOf(patients.Rows))
	r := stream.New(1, "test/methods")
	var texts, answers, measures, steps, mixed, waits, trials strings.Builder
	topics := [][]string{{"sea", "ship", "wave", "sail", "harbour"}, {"bread", "oven", "flour", "salt", "yeast"}, {"goal", "ball", "team", "match", "league"}}
	answers.WriteString("id,colour,size,shape,age\n")
	measures.WriteString("id,x,y,z\n")
	steps.WriteString("id,t,code\n")
	waits.WriteString("id,x,y,z\n")
	mixed.WriteString("id,age,colour,visits\n")
	trials.WriteString("id,a,b,c,d,e,f,g,h\n")
	for i := range 600 {
		g := i % 3
		for range 20 {
			texts.WriteString(topics[(g+r.IntN(8)/7)%3][r.IntN(5)] + " ")
		}
		texts.WriteString("\n")
		pick := func(words ...string) string { return words[(g+r.IntN(6)/5)%len(words)] }
		fmt.Fprintf(&answers, "%d,%s,%s,%s,%s\n", i, pick("red", "blue", "green"), pick("small", "large", "huge"), pick("round", "flat", "long"), pick("old", "new", "worn"))
		fmt.Fprintf(&measures, "%d,%.4f,%.4f,%.4f\n", i, 3*float64(g)+r.NormFloat64(), r.NormFloat64(), float64(g*g)+r.NormFloat64())
		fmt.Fprintf(&mixed, "%d,%.1f,%s,%d\n", i, 30+15*float64(g)+5*r.NormFloat64(), pick("red", "blue", "green"), g*3+r.IntN(3))
		fmt.Fprintf(&waits, "%d,%.4f,%.4f,%.4f\n", i, (1+float64(g))*r.ExpFloat64(), (4-float64(g))*r.ExpFloat64(), (1+float64(g*g))*r.ExpFloat64())
		fmt.Fprintf(&trials, "%d", i)
		for h := range 8 {
			right := 0
			for range 8 {
				if r.Float64() < .1+.15*float64((g+h)%3) {
					right++
				}
			}
			fmt.Fprintf(&trials, ",%d", right)
		}
		trials.WriteString("\n")
		for s := range 8 {
			fmt.Fprintf(&steps, "%d,%d,%s\n", i, s, []string{"up", "down", "left", "right"}[(s/4+g)%2*2+r.IntN(2)])
		}
	}
	write("texts.txt", texts.String())
	write("answers.csv", answers.String())
	write("measures.csv", measures.String())
	write("steps.csv", steps.String())
	write("mixed.csv", mixed.String())
	write("waits.csv", waits.String())
	write("trials.csv", trials.String())
	visits(t, dir, 300)
}

// csvOf writes rows as a table with an id.
func csvOf(rows sparse.Rows, name string) string {
	return named(rows, func(h int) string { return fmt.Sprint(name, h+1) })
}

// viewsOf names the features of three views a, b and c.
func viewsOf(rows sparse.Rows) string {
	return named(rows, func(h int) string { return fmt.Sprint(string("abc"[3*h/rows.Dim]), h+1) })
}

func named(rows sparse.Rows, name func(h int) string) string {
	var b strings.Builder
	b.WriteString("id")
	for h := range rows.Dim {
		b.WriteString("," + name(h))
	}
	b.WriteString("\n")
	for i := range rows.N() {
		fmt.Fprintf(&b, "%d", i+1)
		for h := range rows.Dim {
			fmt.Fprintf(&b, ",%g", rows.At(i, h))
		}
		b.WriteString("\n")
	}
	return b.String()
}
