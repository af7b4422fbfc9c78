package model

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/vocab"
)

// File is the kind of model files. Version 2 has the contents of version 1; it
// tells that the run folder around the file has a list of checksums.
var File = container.Kind{Magic: "moiety model\n", Version: 2}

type head struct {
	Spec       Spec         `json:"spec"`
	Vocab      *vocab.Vocab `json:"vocab"`
	Provenance Provenance   `json:"provenance"`
	Weights    []float64    `json:"weights"`
}

// centersName is the matrix of centers; extra matrices go by their own names
// with a prefix, so that no family can hide the centers.
const (
	centersName = "centers"
	extraPrefix = "extra:"
)

// Matrices returns the parameters as named matrices, the centers first.
func Matrices(p mixture.Params, prefix string) []container.Matrix {
	out := []container.Matrix{{Name: prefix + centersName, M: p.Centers}}
	names := make([]string, 0, len(p.Extra))
	for name := range p.Extra {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, container.Matrix{Name: prefix + extraPrefix + name, M: p.Extra[name]})
	}
	return out
}

// Bytes returns the model as the bytes of a file.
func (m *Model) Bytes() ([]byte, error) {
	if m.Vocab == nil || m.Params.Centers == nil {
		return nil, errors.New("model: Vocab or Centers is nil: there is nothing to save")
	}
	data, err := File.Pack(head{m.Spec, m.Vocab, m.Provenance, m.Params.Weights}, Matrices(m.Params, ""))
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return data, nil
}

// Save writes the model to a file.
func (m *Model) Save(path string) error {
	data, err := m.Bytes()
	if err != nil {
		return err
	}
	return container.WriteFile(path, data)
}

// Load reads a model file; more are families that are not in the table.
func Load(path string, more ...family.Family) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := Read(data, more...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Read decodes a model file held in memory.
func Read(data []byte, more ...family.Family) (*Model, error) {
	var h head
	matrices, err := File.Unpack(data, &h)
	if err != nil {
		return nil, err
	}
	p, ok := Params(matrices, "", h.Weights)
	if !ok || h.Vocab == nil {
		return nil, container.ErrDamaged
	}
	m := &Model{Spec: h.Spec.With(more), Params: p, Vocab: h.Vocab, Provenance: h.Provenance}
	return m, m.Check()
}
