// Package fhir reads diagnoses from FHIR bulk exports: NDJSON files with one
// resource a line, of which Condition is read, and Patient for side columns.
//
// It takes opened inputs and gives one record for each patient or stay, in
// order of first appearance (patients without conditions last), with the codes
// of its conditions as presences.
// Codes of ICD carry their edition ("9:", "10:") in front; the display text of
// a code becomes its title. Conditions that were entered in error or refuted
// are left out. Lines are parsed on all cores; what is handed over does not
// depend on their number.
//
// Bulk exports are sorted by nothing useful, so the codes are collected before
// the first record is handed over: eight bytes a condition.
//
// Step in the flow: source -> read/fhir -> record. It must not know code
// tables or roll-up.
package fhir

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Unit says what one record is.
type Unit int

// Units.
const (
	Patient Unit = iota // all conditions of a subject
	Stay                // all conditions of an encounter
)

// Options of the reader; the zero value works.
type Options struct {
	Unit Unit
	// System restricts the codes to one code system: "icd-10", "icd-9",
	// "snomed", or the full address of another. Empty: of several codes of a
	// condition ICD-10 is taken before ICD-9, SNOMED CT, and the first.
	System  string
	Workers int // 0: all cores
	Limit   int // conditions held in memory; 0: 2^27
}

const (
	defaultLimit = 1 << 27
	batchRecords = 4096
)

// choice is the parsed Options.System.
type choice struct {
	any    bool
	system system
	uri    string
}

func choose(name string) choice {
	switch strings.ToLower(name) {
	case "":
		return choice{any: true}
	case "icd-10", "icd10", "icd-10-cm":
		return choice{system: icd10}
	case "icd-9", "icd9", "icd-9-cm":
		return choice{system: icd9}
	case "snomed", "snomed-ct", "sct":
		return choice{system: snomed}
	default:
		return choice{uri: name}
	}
}

type person struct{ gender, birth string }

type reader struct {
	inputs []source.Input
	o      Options
	p      *record.Problems
	schema record.Schema
	found
}

// found is what the inputs held.
type found struct {
	units   *record.Dict
	owner   []string     // the patient of each unit
	entries []uint64     // unit and feature, in halves
	people  *record.Dict // ids of the Patient resources, in order
	persons map[string]person
	others  map[string]int
	systems [len(prefix)]int
	lines   int
	known   int // lines that are resources
	dropped int
	uncoded int
}

// New returns a source of the given NDJSON files.
func New(inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no file given: %w", source.ErrEmpty)
	}
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	r := &reader{inputs: inputs, o: o, p: p}
	r.schema = record.Schema{Format: "fhir", Kind: record.Presence, Dict: record.NewDict(), Titles: make(map[string]string)}
	return r, nil
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	r.found = found{units: record.NewDict(), people: record.NewDict(), persons: make(map[string]person), others: make(map[string]int)}
	for _, in := range r.inputs {
		if err := r.readOne(ctx, in); err != nil {
			return err
		}
	}
	if r.known == 0 {
		return &record.ParseError{File: r.inputs[0].Name, Msg: fmt.Sprintf("none of %d lines is a FHIR resource", r.lines)}
	}
	if r.o.Unit == Patient {
		for _, id := range r.people.Names() {
			r.unit([]byte(id), []byte(id))
		}
	}
	r.report()
	if err := r.emit(ctx, yield); err != nil {
		return err
	}
	r.entries = nil
	return nil
}

func (r *reader) readOne(ctx context.Context, in source.Input) error {
	text, err := in.Text(ctx, r.p)
	if err != nil {
		return err
	}
	defer text.Close()
	cutter := source.NewCutter(in.Name, text, 0, 0)
	want := choose(r.o.System)
	work := func(c source.Chunk) (*part, error) { return parse(in.Name, want, r.o.Unit, c), nil }
	return par.InOrder(ctx, r.o.Workers, cutter.Next, work, func(p *part) error { return r.take(in, p) })
}

// take adds the resources of a chunk.
func (r *reader) take(in source.Input, p *part) error {
	for _, bad := range p.bad {
		if err := r.p.Malformed(bad); err != nil {
			return err
		}
	}
	for range p.more {
		if err := r.p.Malformed(&record.ParseError{File: in.Name, Msg: "a malformed line among many"}); err != nil {
			return err
		}
	}
	r.lines += p.lines
	r.known += p.lines - len(p.bad) - p.more
	for kind, n := range p.others {
		r.others[kind] += n
	}
	for _, q := range p.patients {
		r.people.AddBytes(p.at(q.id))
		r.persons[string(p.at(q.id))] = person{string(p.at(q.gender)), string(p.at(q.birth))}
	}
	for i := range p.conditions {
		r.add(p, &p.conditions[i])
	}
	if len(r.entries) > r.o.Limit {
		return fmt.Errorf("%s: %w: more than %d conditions; split the export by patient", in.Name, source.ErrTooLarge, r.o.Limit)
	}
	return nil
}

// unit numbers a patient or stay.
func (r *reader) unit(id, owner []byte) uint32 {
	n := r.units.AddBytes(id)
	if int(n) == len(r.owner) {
		r.owner = append(r.owner, string(owner))
	}
	return n
}

func (r *reader) add(p *part, c *condition) {
	id := p.at(c.subject)
	if r.o.Unit == Stay {
		id = p.at(c.encounter)
	}
	unit := r.unit(id, p.at(c.subject))
	switch {
	case c.dropped:
		r.dropped++
		return
	case !c.coded:
		r.uncoded++
		return
	}
	before := r.schema.Dict.Len()
	feature := r.schema.Dict.AddBytes(p.at(c.code))
	if int(feature) == before && c.display.to > c.display.from {
		r.schema.Titles[r.schema.Dict.Name(feature)] = string(p.at(c.display))
	}
	r.systems[c.system]++
	r.entries = append(r.entries, uint64(unit)<<32|uint64(feature))
}

// report tells what was left out, and which code systems there are.
func (r *reader) report() {
	if r.dropped > 0 {
		r.p.Repaired("conditions entered in error or refuted, left out", r.dropped)
	}
	if r.uncoded > 0 {
		r.p.Repaired("conditions without a code of the wanted system, left out", r.uncoded)
	}
	var kinds []string
	for kind := range r.others {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	for _, kind := range kinds {
		r.p.Aside("%d resources of type %s were not used", r.others[kind], kind)
	}
	switch nine, ten, all := r.systems[icd9], r.systems[icd10], len(r.entries); {
	case all == 0:
	case nine == all:
		r.schema.System = prefix[icd9]
	case ten == all:
		r.schema.System = prefix[icd10]
	case nine > 0 && ten > 0:
		r.p.Note("%d codes are ICD-9 and %d ICD-10: the same disease has two codes", nine, ten)
	}
	if len(r.persons) > 0 {
		r.schema.Side = []string{"gender", "birthDate"}
	}
}

// emit hands the records over.
func (r *reader) emit(ctx context.Context, yield func(*record.Batch) error) error {
	slices.Sort(r.entries)
	all := len(r.entries)
	r.entries = slices.Compact(r.entries)
	if n := all - len(r.entries); n > 0 {
		r.p.Repaired("codes recorded again in the same record, counted once", n)
	}
	e := 0
	for from := 0; from < r.units.Len(); from += batchRecords {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+batchRecords, r.units.Len())
		b := &record.Batch{IDs: slices.Clone(r.units.Names()[from:to]), Ptr: []int{0}, Feature: []uint32{}}
		for u := from; u < to; u++ {
			for ; e < len(r.entries) && int(r.entries[e]>>32) == u; e++ {
				b.Feature = append(b.Feature, uint32(r.entries[e]))
			}
			b.Ptr = append(b.Ptr, len(b.Feature))
		}
		b.Side = r.side(from, to)
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}

// side gives gender and birth date of the patients of records from to to.
func (r *reader) side(from, to int) [][]string {
	if len(r.persons) == 0 {
		return nil
	}
	side := [][]string{make([]string, to-from), make([]string, to-from)}
	for i, owner := range r.owner[from:to] {
		who := r.persons[owner]
		side[0][i], side[1][i] = who.gender, who.birth
	}
	return side
}
