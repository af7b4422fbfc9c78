package model

import (
	"errors"
	"fmt"
	"os"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/vocab"
)

type head struct {
	Spec       Spec         `json:"spec"`
	Vocab      *vocab.Vocab `json:"vocab"`
	Provenance Provenance   `json:"provenance"`
	Weights    []float64    `json:"weights"`
}

// Bytes returns the model as the bytes of a file.
func (m *Model) Bytes() ([]byte, error) {
	if m.Vocab == nil || m.Params.Centers == nil {
		return nil, errors.New("model: Vocab or Centers is nil: there is nothing to save")
	}
	data, err := container.Model.Pack(head{m.Spec, m.Vocab, m.Provenance, m.Params.Weights}, container.Named("", m.Params.Matrices()))
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
	matrices, err := container.Model.Unpack(data, &h)
	if err != nil {
		return nil, err
	}
	p, ok := mixture.FromMatrices(matrices, "", h.Weights)
	if !ok || h.Vocab == nil {
		return nil, container.ErrDamaged
	}
	m := &Model{Spec: h.Spec.With(more), Params: p, Vocab: h.Vocab, Provenance: h.Provenance}
	return m, m.Check()
}
