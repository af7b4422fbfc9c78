package fhir

import (
	"bytes"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// system is a code system that is known by name.
type system byte

const (
	other system = iota
	icd10
	icd9
	snomed
)

// prefix is what makes equal spellings of the two ICD editions differ.
var prefix = [...]string{other: "", icd10: "10:", icd9: "9:", snomed: ""}

// identify tells the system of a coding by its address or object number.
func identify(uri []byte) system {
	const oid = "2.16.840.1.113883.6."
	s := strings.ToLower(string(uri))
	if _, number, ok := strings.Cut(s, oid); ok {
		switch number {
		case "90", "3":
			return icd10
		case "103", "42", "2":
			return icd9
		case "96":
			return snomed
		}
		return other
	}
	switch {
	case strings.Contains(s, "icd-10"), strings.Contains(s, "icd10"):
		return icd10
	case strings.Contains(s, "icd-9"), strings.Contains(s, "icd9"):
		return icd9
	case strings.Contains(s, "snomed"):
		return snomed
	default:
		return other
	}
}

// coding is one entry of code.coding[].
type coding struct {
	uri, code, display []byte
}

// resource holds the wanted fields of one line; the slices point into it.
type resource struct {
	kind, id           []byte
	subject, encounter []byte
	verification       []byte
	codings            []coding
	gender, birth      []byte
}

// scan reads one line; it reports false when it is not a JSON object. Keys of
// earlier editions (patient, context) are read as their successors.
func (r *resource) scan(line []byte) bool {
	*r = resource{codings: r.codings[:0]}
	s := scanner{b: line}
	if s.peek() != '{' {
		return false
	}
	s.object(func(key []byte) {
		switch string(key) {
		case "resourceType":
			r.kind = s.text()
		case "id":
			r.id = s.text()
		case "subject", "patient":
			r.subject = reference(&s)
		case "encounter", "context":
			r.encounter = reference(&s)
		case "verificationStatus":
			r.verification = status(&s)
		case "code":
			r.code(&s)
		case "gender":
			r.gender = s.text()
		case "birthDate":
			r.birth = s.text()
		default:
			s.skip()
		}
	})
	return !s.bad && s.peek() == 0 && s.at == len(s.b)
}

// reference reads {"reference": "Patient/17"} and returns the id, "17".
func reference(s *scanner) []byte {
	var ref []byte
	s.object(func(key []byte) {
		if string(key) == "reference" {
			ref = s.text()
			return
		}
		s.skip()
	})
	ref, _, _ = bytes.Cut(ref, []byte("/_history"))
	ref = bytes.TrimPrefix(ref, []byte("urn:uuid:"))
	return ref[bytes.LastIndexByte(ref, '/')+1:]
}

// status reads a verification status: a word, or a concept with codings.
func status(s *scanner) []byte {
	if s.peek() == '"' {
		return s.text()
	}
	var code []byte
	concept(s, func(c coding) {
		if code == nil {
			code = c.code
		}
	})
	return code
}

// code reads the codings of a condition.
func (r *resource) code(s *scanner) {
	concept(s, func(c coding) {
		if len(c.code) > 0 {
			r.codings = append(r.codings, c)
		}
	})
}

// concept reads {"coding": [{"system", "code", "display"}, ...]}.
func concept(s *scanner, each func(coding)) {
	s.object(func(key []byte) {
		if string(key) != "coding" {
			s.skip()
			return
		}
		s.array(func() {
			var c coding
			s.object(func(key []byte) {
				switch string(key) {
				case "system":
					c.uri = s.text()
				case "code":
					c.code = bytes.TrimSpace(s.text())
				case "display":
					c.display = s.text()
				default:
					s.skip()
				}
			})
			each(c)
		})
	})
}

// dropped reports whether the condition was withdrawn or ruled out.
func (r *resource) dropped() bool {
	return string(r.verification) == "entered-in-error" || string(r.verification) == "refuted"
}

// pick chooses the coding: the wanted system, or ICD-10, ICD-9, SNOMED CT, and
// the first one otherwise.
func (r *resource) pick(want choice) (coding, system, bool) {
	best, found := -1, other
	for i, c := range r.codings {
		sys := identify(c.uri)
		if !want.any {
			if want.system != other && sys == want.system || want.system == other && string(c.uri) == want.uri {
				return c, sys, true
			}
			continue
		}
		if best < 0 || sys != other && (found == other || sys < found) {
			best, found = i, sys
		}
	}
	if best < 0 {
		return coding{}, other, false
	}
	return r.codings[best], found, true
}

// span is a stretch of part.text.
type span struct{ from, to int }

// condition is one diagnosis of a chunk.
type condition struct {
	subject, encounter, code, display span
	system                            system
	coded, dropped                    bool
}

// patient is one person of a chunk.
type patient struct{ id, gender, birth span }

// part is what one chunk of lines gives; all texts lie in one buffer.
type part struct {
	text       []byte
	conditions []condition
	patients   []patient
	others     map[string]int // other resources by type
	lines      int
	bad        []*record.ParseError
	more       int
}

func (p *part) keep(b []byte) span {
	from := len(p.text)
	p.text = append(p.text, b...)
	return span{from, len(p.text)}
}

func (p *part) at(s span) []byte { return p.text[s.from:s.to] }

// keepBad is the number of malformed lines of a chunk that are kept with text.
const keepBad = 20

func parse(name string, want choice, unit Unit, c source.Chunk) *part {
	defer c.Release()
	p := &part{others: make(map[string]int)}
	var r resource
	number := c.Line
	for rest := c.Data; len(rest) > 0; number++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		p.lines++
		msg := "not a JSON object on one line; NDJSON has one resource a line"
		if r.scan(line) {
			msg = p.add(&r, want, unit)
		}
		switch {
		case msg == "":
		case len(p.bad) == keepBad:
			p.more++
		default:
			p.bad = append(p.bad, &record.ParseError{File: name, Line: number, Text: string(line[:min(len(line), 200)]), Msg: msg})
		}
	}
	return p
}

// add keeps a resource; it returns what is wrong with it.
func (p *part) add(r *resource, want choice, unit Unit) string {
	switch string(r.kind) {
	case "Condition":
		return p.addCondition(r, want, unit)
	case "Patient":
		if len(r.id) == 0 {
			return "a Patient without an id"
		}
		p.patients = append(p.patients, patient{p.keep(r.id), p.keep(r.gender), p.keep(r.birth)})
	case "":
		return `no "resourceType": this is not a FHIR resource`
	default:
		p.others[string(r.kind)]++
	}
	return ""
}

func (p *part) addCondition(r *resource, want choice, unit Unit) string {
	if unit == Patient && len(r.subject) == 0 {
		return "a Condition without subject.reference, it belongs to no patient"
	}
	if unit == Stay && len(r.encounter) == 0 {
		return "a Condition without encounter.reference, it belongs to no stay; use the unit patient"
	}
	c := condition{subject: p.keep(r.subject), encounter: p.keep(r.encounter), dropped: r.dropped()}
	if chosen, sys, ok := r.pick(want); ok {
		c.coded, c.system = true, sys
		from := len(p.text)
		p.text = append(append(p.text, prefix[sys]...), chosen.code...)
		c.code = span{from, len(p.text)}
		c.display = p.keep(chosen.display)
	}
	p.conditions = append(p.conditions, c)
	return ""
}
