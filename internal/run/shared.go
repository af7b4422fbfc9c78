package run

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// SharedFile is the kind of files that hold a model to be sent out.
var SharedFile = container.Kind{Magic: "moiety shared model\n", Version: 1}

// SharedModel is a model to be sent out: one file, without records, without the
// names of rare features, and of rounded numbers. New records can be placed by
// it as by a run.
type SharedModel struct {
	Model  *model.Model
	Groups []SharedGroup
	Plan   encode.Plan      // how new records are encoded
	Format string           // of the data, as it was read
	Read   fit.ReadSettings // how they are read, as far as it was said
	// Limit and Rounded say what was left out and how counts are rounded.
	Limit, Rounded int
}

// SharedGroup names a group of a shared model.
type SharedGroup struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type sharedHead struct {
	Ring     report.Ring      `json:"ring"`
	Words    string           `json:"words"`
	Limit    int              `json:"limit"`
	Rounded  int              `json:"rounded"`
	Program  string           `json:"program"`
	Spec     model.Spec       `json:"spec"`
	Vocab    *vocab.Vocab     `json:"vocab"`
	Weights  []float64        `json:"weights"`
	Groups   []SharedGroup    `json:"groups"`
	Plan     encode.Plan      `json:"plan"`
	Format   string           `json:"format"`
	Settings fit.ReadSettings `json:"read"`
}

// Shared makes the model to be sent out. Its numbers are those of a shared report
// and nothing else.
func (r *Run) Shared(ctx context.Context) (*SharedModel, error) {
	if s, err := r.FitSettings(); err != nil || s.Privacy.Epsilon > 0 {
		return r.sharedPrivate(), err
	}
	report, err := r.Explain(ctx, report.Settings{Share: true})
	if err != nil {
		return nil, err
	}
	disclosed, err := explain.Disclose(report, r.Outcome)
	if err != nil {
		return nil, err
	}
	out := &SharedModel{
		Model: disclosed.Model, Plan: explain.SharedPlan(r.Manifest.Plan), Read: r.Manifest.Settings.Read,
		Format: r.Manifest.Encoding.Format, Limit: report.Limit, Rounded: report.Rounded,
	}
	for _, j := range disclosed.Groups {
		g := report.Leaf(j)
		out.Groups = append(out.Groups, SharedGroup{g.ID, g.Name})
	}
	return out, nil
}

// sharedPrivate is the model of a private fit as it was learned: no number of it is
// made of records without noise, and no name of a group.
func (r *Run) sharedPrivate() *SharedModel {
	m := r.Outcome.Model
	out := &SharedModel{
		Model: &model.Model{Spec: m.Spec, Params: m.Params, Vocab: m.Vocab, Provenance: model.Provenance{Program: m.Provenance.Program}},
		Plan:  explain.SharedPlan(r.Manifest.Plan), Read: r.Manifest.Settings.Read, Format: r.Manifest.Encoding.Format,
		Limit: max(1, r.Manifest.MinCell), Rounded: 1,
	}
	for j := range m.Params.K() {
		id := r.GroupID(j)
		out.Groups = append(out.Groups, SharedGroup{id, "Group " + id})
	}
	return out
}

// Write writes the file.
func (m *SharedModel) Write(w io.Writer) error {
	data, err := SharedFile.Pack(sharedHead{
		report.Shared, report.RingWords(report.Shared, m.Limit, m.Rounded), m.Limit, m.Rounded, m.Model.Provenance.Program,
		m.Model.Spec, m.Model.Vocab, m.Model.Params.Weights, m.Groups, m.Plan, m.Format, m.Read,
	}, container.Named("", m.Model.Params.Matrices()))
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// OpenShared reads a file that Write wrote. Another file gives ErrNotRun.
func OpenShared(path string) (*SharedModel, error) {
	if !isShared(path) { // known by its start: data may be large
		return nil, noRun(path + " is neither a run folder nor a model: name the folder that \"moiety fit -o\" wrote, or the file of \"moiety export --to model\"")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := readShared(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// isShared reports a file that begins as one does that holds a model.
func isShared(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(SharedFile.Magic))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == SharedFile.Magic
}

func readShared(data []byte) (*SharedModel, error) {
	var h sharedHead
	matrices, err := SharedFile.Unpack(data, &h)
	if err != nil {
		return nil, err
	}
	p, ok := mixture.FromMatrices(matrices, "", h.Weights)
	if !ok || h.Vocab == nil || len(h.Groups) != len(h.Weights) || h.Limit < 1 || h.Ring != report.Shared {
		return nil, container.ErrDamaged
	}
	m := &SharedModel{
		Model:  &model.Model{Spec: h.Spec, Params: p, Vocab: h.Vocab, Provenance: model.Provenance{Program: h.Program}},
		Groups: h.Groups, Plan: h.Plan, Format: h.Format, Read: h.Settings, Limit: h.Limit, Rounded: h.Rounded,
	}
	return m, m.Model.Check()
}

// Outcome returns the model as a fit without records, for a placer.
func (m *SharedModel) Outcome() *fit.Outcome { return &fit.Outcome{Model: m.Model} }

// OpenNew opens new data, read as those of the run were.
func (m *SharedModel) OpenNew(ctx context.Context, args []string, o read.Options, p *record.Problems) (record.Source, error) {
	return m.Run().OpenNew(ctx, args, o, p)
}

// Run returns a run without records, by which new ones are read, encoded and
// placed.
func (m *SharedModel) Run() *Run {
	return &Run{Outcome: m.Outcome(), Manifest: Manifest{
		Plan: m.Plan, Encoding: &explain.Encoded{Format: m.Format}, Settings: Settings{Read: m.Read},
	}, Edits: newEdits("", nil)}
}
