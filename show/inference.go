package show

import (
	"fmt"
	"io"
	"strconv"

	"github.com/moiety-go/moiety/report"
)

// Parameters writes what a paper prints of latent classes: criteria, sizes,
// classification, the probability of every answer with its interval, and the
// pairs of questions that depend on each other beyond their groups.
func Parameters(w io.Writer, r *report.Report, o Options) error {
	if r.Inference == nil {
		return fmt.Errorf("show: no parameters with standard errors: they are of latent classes, a flat fit of answers or presences that is not shared")
	}
	p := &page{w: w, o: o}
	for i, t := range inferenceTables(r) {
		if i > 0 {
			p.line("")
		}
		p.line("%s", o.strong(t.Name))
		p.table(append([][]string{t.Table.Head}, t.Table.Rows...))
	}
	p.line("")
	p.text("", inferenceWords(r))
	return p.err
}

// inferenceWords says how the tables are to be read.
func inferenceWords(r *report.Report) string {
	inf := r.Inference
	s := "Probabilities and shares are the model's own, to which every record contributes by its probability; se is their standard error "
	if inf.Together {
		s += "by the observed information."
	} else {
		s += "by the scores of each alone: the model has too many parameters to take them together, and the intervals are somewhat too narrow."
	}
	if records, ok := r.Fit.Prior.Value(); ok && records > 0 {
		s += " The fit has a prior " + priorWords(records) + "; --prior 0 is maximum likelihood."
	}
	return s + " A probability at the edge, 0 or 1, has no such interval."
}

// inferenceTables are the tables of latent classes; none of other models.
func inferenceTables(r *report.Report) []namedTable {
	if r.Inference == nil {
		return nil
	}
	out := []namedTable{
		{Name: "How well the model describes the records", Table: criteriaTable(r)},
		{Name: "Sizes of the groups, and how sure records are of them", Table: sizesTable(r)},
	}
	if len(r.Leaves) > 1 {
		out = append(out, namedTable{Name: "Classification: mean probability of each group, among those put into a group", Table: classificationTable(r)})
	}
	out = append(out, namedTable{Name: "Probabilities by group, with 95 % intervals", Table: probabilityTable(r)})
	if len(r.Inference.Pairs) > 0 {
		out = append(out, namedTable{Name: pairsTitle(r.Inference), Table: pairsTable(r)})
	}
	for i := range out {
		out[i].Label = out[i].Name
	}
	return out
}

// digits writes a number with so many digits after the point, or nothing.
func digits(x report.Number, n int) string {
	if v, ok := x.Value(); ok {
		return strconv.FormatFloat(v, 'f', n, 64)
	}
	return ""
}

func criteriaTable(r *report.Report) Table {
	inf := r.Inference
	s := Table{Head: []string{"measure", "value"}, Rows: [][]string{
		{"log-likelihood", digits(inf.LogLikelihood, 4)},
		{"parameters", report.Thousands(inf.Parameters)},
		{"BIC", digits(inf.BIC, 2)},
		{"adjusted BIC", digits(inf.AdjustedBIC, 2)},
		{"CAIC", digits(inf.CAIC, 2)},
		{"AIC", digits(inf.AIC, 2)},
		{"ICL", digits(inf.ICL, 2)},
		{"entropy R²", digits(inf.EntropyR2, 4)},
	}}
	if v, ok := r.Fit.Prior.Value(); ok {
		s.Rows = append(s.Rows, []string{"prior, in records", fmt.Sprintf("%g", v)})
	}
	if r.Fit.Starts > 0 {
		s.Rows = append(s.Rows, []string{"starts that reached the best maximum", fmt.Sprintf("%d of %d", r.Fit.Reached, r.Fit.Starts)})
	}
	return s
}

func sizesTable(r *report.Report) Table {
	s := Table{Head: []string{"group", "share", "se", "95 %", "put into it", "average posterior"}}
	for j, id := range groupIDs(r) {
		e := r.Inference.Shares[j]
		s.Rows = append(s.Rows, []string{
			id, digits(e.Value, 4), digits(e.SE, 4), intervalDigits(e), r.Inference.Modal[j].String(), digits(r.Inference.Posterior[j][j], 4),
		})
	}
	return s
}

func intervalDigits(e report.Estimate) string {
	if e.Edge {
		return "at the edge"
	}
	if e.Low.Masked() || e.High.Masked() {
		return ""
	}
	return digits(e.Low, 4) + " to " + digits(e.High, 4)
}

func classificationTable(r *report.Report) Table {
	ids := groupIDs(r)
	s := Table{Head: append([]string{"put into"}, ids...)}
	for j, id := range ids {
		row := []string{id}
		for _, x := range r.Inference.Posterior[j] {
			row = append(row, digits(x, 4))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// probabilityTable has a row for every answer and group.
func probabilityTable(r *report.Report) Table {
	s := Table{Head: []string{r.Unit.Feature, "group", "probability", "se", "95 %"}}
	ids := groupIDs(r)
	for _, q := range r.Inference.Questions {
		for _, a := range q.Answers {
			name := labelled(a.Name, a.Title, r.Table.Said(a.Index))
			for j, e := range a.Groups {
				s.Rows = append(s.Rows, []string{name, ids[j], digits(e.Value, 4), digits(e.SE, 4), intervalDigits(e)})
			}
		}
	}
	return s
}

func pairsTitle(inf *report.Inference) string {
	switch inf.Dependent {
	case 0:
		return fmt.Sprintf("Local independence: no pair of %s depends on each other clearly beyond its groups", report.Thousands(inf.Tested))
	case 1:
		return fmt.Sprintf("Local independence: 1 of %s pairs depends on each other beyond its groups (residual above 3.84)", report.Thousands(inf.Tested))
	}
	return fmt.Sprintf("Local independence: %s of %s pairs depend on each other beyond their groups (residual above 3.84)", report.Thousands(inf.Dependent), report.Thousands(inf.Tested))
}

func pairsTable(r *report.Report) Table {
	s := Table{Head: []string{"pair", "residual", "X²", "df", "beyond the groups"}}
	for _, p := range r.Inference.Pairs {
		word := ""
		if p.Dependent {
			word = "yes"
		}
		s.Rows = append(s.Rows, []string{p.A + " ~ " + p.B, digits(p.Size, 2), digits(p.X2, 2), strconv.Itoa(p.DF), word})
	}
	return s
}

// ParametersCSV writes parameters.csv: the probability of every answer in every
// group with its standard errors and interval; edge is 1 where there is none.
func ParametersCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"group", "question", "feature", "probability", "se", "se_outer", "se_resampled", "low", "high", "edge"})
	ids := groupIDs(r)
	for _, q := range r.Inference.Questions {
		for _, a := range q.Answers {
			for j, e := range a.Groups {
				t.row([]string{
					ids[j], q.Name, a.Name, field(e.Value), field(e.SE), field(e.Outer), field(e.Resampled), field(e.Low), field(e.High), edgeField(e),
				})
			}
		}
	}
	return t.close()
}

func edgeField(e report.Estimate) string {
	switch {
	case e.Value.Masked():
		return ""
	case e.Edge:
		return "1"
	}
	return "0"
}

// ClassificationCSV writes classification.csv: group,n and one column a group,
// the mean probability of each among the records put into a group.
func ClassificationCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	ids := groupIDs(r)
	t.row(append([]string{"group", "n"}, ids...))
	for j, id := range ids {
		n := ""
		if v, ok := r.Inference.Modal[j].Value(); ok {
			n = strconv.Itoa(v)
		}
		row := []string{id, n}
		for _, x := range r.Inference.Posterior[j] {
			row = append(row, field(x))
		}
		t.row(row)
	}
	return t.close()
}

// FitCSV writes fit.csv: measure,value.
func FitCSV(w io.Writer, r *report.Report) error {
	t, inf := newTable(w), r.Inference
	t.row([]string{"measure", "value"})
	for _, x := range []struct {
		name string
		v    report.Number
	}{
		{"log_likelihood", inf.LogLikelihood},
		{"bic", inf.BIC},
		{"adjusted_bic", inf.AdjustedBIC},
		{"caic", inf.CAIC},
		{"aic", inf.AIC},
		{"icl", inf.ICL},
		{"entropy_r2", inf.EntropyR2},
		{"prior", r.Fit.Prior},
	} {
		t.row([]string{x.name, field(x.v)})
	}
	t.row([]string{"parameters", strconv.Itoa(inf.Parameters)})
	t.row([]string{"starts", strconv.Itoa(r.Fit.Starts)})
	t.row([]string{"starts_at_best", strconv.Itoa(r.Fit.Reached)})
	return t.close()
}

// ResidualsCSV writes residuals.csv: the pairs of questions that depend on each
// other most beyond their groups.
func ResidualsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"a", "b", "residual", "x2", "df", "dependent"})
	for _, p := range r.Inference.Pairs {
		word := "0"
		if p.Dependent {
			word = "1"
		}
		t.row([]string{p.A, p.B, field(p.Size), field(p.X2), strconv.Itoa(p.DF), word})
	}
	return t.close()
}

// inferenceArrays are standard errors and intervals for numpy.
func inferenceArrays(r *report.Report) []array {
	if r.Inference == nil {
		return nil
	}
	k, d := len(r.Leaves), len(r.Table.Names)
	se, low, high := missing(k*d), missing(k*d), missing(k*d)
	nan := missing(1)[0]
	for _, q := range r.Inference.Questions {
		for _, a := range q.Answers {
			for j, e := range a.Groups {
				at := j*d + a.Index
				se[at], low[at], high[at] = e.SE.Or(nan), e.Low.Or(nan), e.High.Or(nan)
			}
		}
	}
	var weights []float64
	for _, e := range r.Inference.Shares {
		weights = append(weights, e.SE.Or(nan))
	}
	return []array{
		floats("centers_se", se, k, d), floats("centers_low", low, k, d), floats("centers_high", high, k, d), floats("weights_se", weights, k),
	}
}
