package show_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// uneven is a corpus whose documents of one kind are four times as long, so that
// shares of documents are no shares of words.
func uneven(n int) *dataset.Dataset {
	d := corpus(3, n)
	for i := 0; i < n; i++ {
		index, value := d.Rows.Row(i)
		late := 0 // words of the last topic
		for _, h := range index {
			if int(h) >= 3*d.Rows.Dim/4 {
				late++
			}
		}
		for e := range value {
			if 3*late > len(index) {
				value[e] *= 4
			}
		}
	}
	return d
}

// topicsOf returns θ (documents×k), the lengths of documents, and φ (k×d).
func topicsOf(t *testing.T, o *fit.Outcome, d *dataset.Dataset) (theta, lengths []float64, phi [][]float64) {
	t.Helper()
	f, err := o.Model.Family()
	if err != nil {
		t.Fatal(err)
	}
	p := o.Model.Params
	theta = make([]float64, d.Rows.N()*p.K())
	if err := f.Posterior(p, pass.Block{Rows: d.Rows}, theta); err != nil {
		t.Fatal(err)
	}
	for j := range p.K() {
		row := make([]float64, p.Dim())
		for h := range row {
			row[h] = p.Centers.At(h, j)
		}
		phi = append(phi, row)
	}
	return theta, d.Rows.Totals(), phi
}

// The numbers of the page by the formulas of Sievert and Shirley: a topic's
// frequency is Σ N_d θ_dk, a term's in a topic φ times that, a term's in all the
// sum over the topics.
func TestLDAvisNumbers(t *testing.T) {
	d := uneven(300)
	for _, name := range []string{"lda", "single-topic"} {
		o := flat(t, d, 3, name)
		v, err := show.NewLDAvis(explained(t, o, d, report.Settings{}))
		if err != nil {
			t.Fatal(err)
		}
		theta, lengths, phi := topicsOf(t, o, d)
		freq, all := make([]float64, 3), 0.0
		for i, n := range lengths {
			all += n
			for j := range freq {
				freq[j] += n * theta[3*i+j]
			}
		}
		for j := range freq {
			if got := v.MdsDat.Freq[j]; numtest.Off(got, 100*freq[j]/all, 1e-3) {
				t.Errorf("%s: topic %d has %v %% of the words, want %v", name, j+1, got, 100*freq[j]/all)
			}
		}
		checkTerms(t, name, v, d, phi, freq, all)
	}
}

func checkTerms(t *testing.T, name string, v *show.LDAvis, d *dataset.Dataset, phi [][]float64, freq []float64, all float64) {
	t.Helper()
	place := map[string]int{}
	total := make([]float64, len(phi[0]))
	for h, word := range d.Vocab.Names {
		place[word] = h
		for j := range phi {
			total[h] += phi[j][h] * freq[j]
		}
	}
	for i, term := range v.Tinfo.Term {
		h := place[term]
		if numtest.Off(v.Tinfo.Total[i], total[h], .01) || v.Tinfo.Freq[i] > v.Tinfo.Total[i]+.01 {
			t.Errorf("%s: %s %v of %v, want of %v", name, term, v.Tinfo.Freq[i], v.Tinfo.Total[i], total[h])
		}
		if c := v.Tinfo.Category[i]; c != "Default" {
			j := int(c[len(c)-1] - '1')
			lift := math.Log(phi[j][h] / (total[h] / all))
			if numtest.Off(v.Tinfo.Freq[i], phi[j][h]*freq[j], .01) || numtest.Off(v.Tinfo.Loglift[i], lift, 1e-3) || numtest.Off(v.Tinfo.Logprob[i], math.Log(phi[j][h]), 1e-3) {
				t.Errorf("%s: %s in topic %d: %v, lift %v; want %v, %v", name, term, j+1, v.Tinfo.Freq[i], v.Tinfo.Loglift[i], phi[j][h]*freq[j], lift)
			}
		}
	}
	for i, term := range v.TokenTable.Term {
		j, h := v.TokenTable.Topic[i]-1, place[term]
		if want := phi[j][h] * freq[j] / total[h]; numtest.Off(v.TokenTable.Freq[i], want, 1e-4) {
			t.Errorf("%s: %s lies in topic %d to %v, want %v", name, term, j+1, v.TokenTable.Freq[i], want)
		}
	}
}

// The same numbers by pyLDAvis itself, where it is installed.
func TestLDAvisBesidePyLDAvis(t *testing.T) {
	const script = `
import json, sys
import numpy as np, pyLDAvis
d = json.load(open(sys.argv[1]))
p = pyLDAvis.prepare(np.array(d["phi"]), np.array(d["theta"]), np.array(d["lengths"]), d["vocab"],
                     np.array(d["counts"]), R=30, sort_topics=False, n_jobs=1)
x = p.to_dict()
print(json.dumps({"freq": x["mdsDat"]["Freq"], "term": x["tinfo"]["Term"], "category": x["tinfo"]["Category"],
                  "count": x["tinfo"]["Freq"], "total": x["tinfo"]["Total"]}))
`
	if testing.Short() || exec.Command("python3", "-c", "import pyLDAvis").Run() != nil {
		t.Skip("-short, or python3 with pyLDAvis is not installed: its numbers are tested by their formulas alone")
	}
	d := uneven(300)
	o := flat(t, d, 3, "lda")
	v, err := show.NewLDAvis(explained(t, o, d, report.Settings{}))
	if err != nil {
		t.Fatal(err)
	}
	theta, lengths, phi := topicsOf(t, o, d)
	rows := make([][]float64, len(lengths))
	counts := make([]float64, d.Rows.Dim)
	for i := range rows {
		rows[i] = theta[3*i : 3*i+3]
		index, value := d.Rows.Row(i)
		for e, h := range index {
			counts[h] += float64(value[e])
		}
	}
	text, err := json.Marshal(map[string]any{"phi": phi, "theta": rows, "lengths": lengths, "vocab": d.Vocab.Names, "counts": counts})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "topics.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", "-c", script, path).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Freq, Count, Total []float64
		Term, Category     []string
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&want); err != nil {
		t.Fatal(err)
	}
	for j, f := range want.Freq {
		if numtest.Off(v.MdsDat.Freq[j], f, 1e-3) {
			t.Errorf("topic %d: %v, pyLDAvis %v", j+1, v.MdsDat.Freq[j], f)
		}
	}
	type key struct{ term, category string }
	theirs := map[key][2]float64{}
	for i := range want.Term {
		theirs[key{want.Term[i], want.Category[i]}] = [2]float64{want.Count[i], want.Total[i]}
	}
	for i, term := range v.Tinfo.Term {
		x, ok := theirs[key{term, v.Tinfo.Category[i]}]
		if ok && (numtest.Off(x[0], v.Tinfo.Freq[i], .02) || numtest.Off(x[1], v.Tinfo.Total[i], .02)) {
			t.Errorf("%s in %s: %v of %v, pyLDAvis %v", term, v.Tinfo.Category[i], v.Tinfo.Freq[i], v.Tinfo.Total[i], x)
		}
	}
}

// weights.csv of topics that mix tells words, documents and the prior apart.
func TestWeightsOfTopics(t *testing.T) {
	d := uneven(300)
	o := flat(t, d, 3, "lda")
	r := explained(t, o, d, report.Settings{})
	var b bytes.Buffer
	if err := show.WeightsCSV(&b, r); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(b.Bytes(), []byte("group,weight,words,documents,alpha\n")) || !show.TableForm("weights.csv").Ours(b.Bytes(), nil) {
		t.Errorf("%s", b.Bytes())
	}
	apart := 0.0
	for j := range 3 {
		if r.Table.Weights[j] != r.Table.Words[j] {
			t.Errorf("the weight of topic %d is not its share of words", j+1)
		}
		apart = math.Max(apart, math.Abs(r.Table.Words[j].Or(0)-r.Table.Documents[j].Or(0)))
	}
	if apart < .02 {
		t.Errorf("words and documents differ by %v: the corpus tells nothing", apart)
	}
}
