package verdict

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/fit"
)

//go:embed peers.py
var peersScript []byte

// peerTask is a table for other tools to choose a number of groups for.
type peerTask struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Rows   int    `json:"rows"`
	Cols   int    `json:"cols"`
	Values string `json:"values"` // float32, row by row; NaN: missing
	Labels []int  `json:"labels"`

	groups int
	ours   Case
}

// peerAnswer is what one tool says of one table.
type peerAnswer struct {
	Key    string  `json:"key"`
	Name   string  `json:"name"`
	Peer   string  `json:"peer"`
	Groups int     `json:"groups"`
	ARI    float64 `json:"ari"`
	Note   string  `json:"note"`
}

// peers are other tools that choose a number of groups by themselves: scikit-learn
// (Bayesian Gaussian mixtures, Gaussian mixtures by BIC, HDBSCAN), EM with the law of
// the kind by BIC and ICL, mclust (R), HDP (gensim).
type peers struct {
	python string
	tasks  []peerTask
}

// askedAtOnce is how many tables other tools get at a time.
const askedAtOnce = 20

// newPeers finds Python: $MOIETY_PYTHON, or python3.
func newPeers(ctx context.Context) *peers {
	p := &peers{python: os.Getenv("MOIETY_PYTHON")}
	if p.python == "" {
		p.python = "python3"
	}
	if exec.CommandContext(ctx, p.python, "-c", "import numpy, sklearn").Run() != nil {
		p.python = ""
	}
	return p
}

// add keeps the first draw of every law for the other tools.
func (p *peers) add(kind string, all []Case) error {
	if p.python == "" {
		return nil
	}
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.Law.Name] || c.Law.Hard {
			continue
		}
		seen[c.Law.Name] = true
		d := c.Law.Draw(c.Seed, c.N)
		data, _ := d.Data()
		of := kind
		switch {
		case kind != "all kinds, fresh":
		case c.Law.Kind == "texts":
			of = "documents"
		case c.Law.Kind == "mixed":
			of = "mixed columns"
		case c.Law.Kind != "":
			of = c.Law.Kind
		case d.Answers > 2:
			of = "answers"
		default:
			of = "presences"
		}
		t := tableOf(data, of, d.Labels)
		t.Name, t.groups, t.ours = kind+": "+c.Law.Name, c.Law.Groups, c
		p.tasks = append(p.tasks, t)
	}
	return nil
}

// tableOf is a data set in memory as a dense table.
func tableOf(data fit.Training, kind string, labels []int) peerTask {
	rows := *data.Run.Can().Rows
	values := make([]float32, rows.N()*rows.Dim)
	for i := range rows.N() {
		row := values[i*rows.Dim:][:rows.Dim]
		if rows.Dense != nil {
			for h, v := range rows.Dense[i*rows.Dim:][:rows.Dim] {
				row[h] = float32(v)
			}
			continue
		}
		index, value := rows.Row(i)
		for e, h := range index {
			row[h] = 1
			if value != nil {
				row[h] = value[e]
			}
		}
	}
	raw := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(v))
	}
	return peerTask{Kind: kind, Rows: rows.N(), Cols: rows.Dim, Values: base64.StdEncoding.EncodeToString(raw), Labels: labels}
}

// peerCount counts what one tool claims of the laws of one kind.
type peerCount struct {
	single, whole, groups, right, over int
	ari                                lab.Series
}

func (c *peerCount) add(truth, claim int, ari float64) {
	if truth == 1 {
		c.single++
		if claim == 1 {
			c.whole++
		}
		return
	}
	c.groups++
	c.ari = append(c.ari, ari)
	switch {
	case claim == truth:
		c.right++
	case claim > truth:
		c.over++
	}
}

// table prints what other tools claim of the same draws, kind by kind.
func (p *peers) table(ctx context.Context, w io.Writer, n int) error {
	lab.Heading(w, "The same draws of %d records (first seed), other tools choosing the number", n)
	if p.python == "" {
		fmt.Fprintf(w, "skipped: other tools: no Python with numpy and scikit-learn (set MOIETY_PYTHON)\n\n")
		return nil
	}
	var answers []peerAnswer
	for tasks := range slices.Chunk(p.tasks, askedAtOnce) { // what is answered is kept, should the rest break off
		said, err := p.ask(ctx, tasks)
		if err != nil {
			return err
		}
		answers = append(answers, said...)
	}
	by, order := map[[2]string]*peerCount{}, [][2]string{}
	at := func(kind, peer string) *peerCount {
		k := [2]string{kind, peer}
		if by[k] == nil {
			by[k], order = &peerCount{}, append(order, k)
		}
		return by[k]
	}
	of := map[string]peerTask{}
	for _, t := range p.tasks {
		of[t.Name] = t
		at(t.Kind, "moiety").add(t.groups, t.ours.Claim, t.ours.ARI)
	}
	noted := map[string]bool{}
	for _, a := range answers {
		if a.Note != "" {
			if !noted[a.Note] {
				noted[a.Note] = true
				fmt.Fprintln(w, a.Note)
			}
			continue
		}
		t := of[a.Name]
		at(t.Kind, a.Peer).add(t.groups, a.Groups, a.ARI)
	}
	t := lab.NewTable("records", "tool", "one population: left whole", "groups: right", "too many", "ARI")
	for _, task := range p.tasks {
		for i, k := range order {
			if k[0] != task.Kind {
				continue
			}
			c := by[k]
			t.Add(k[0], k[1], fmt.Sprintf("%d of %d", c.whole, c.single), fmt.Sprintf("%d of %d", c.right, c.groups), c.over, fmt.Sprintf("%.2f", c.ari.Mean()))
			order[i] = [2]string{}
		}
	}
	t.Write(w)
	return nil
}
