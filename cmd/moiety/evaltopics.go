package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
)

// foreign is what eval finds of topics that another tool made.
type foreign struct {
	Run       string               `json:"run"`
	Ring      report.Ring          `json:"ring,omitempty"`
	Records   report.Count         `json:"records"`
	Coherence evaluate.Coherence   `json:"coherence" gate:"from counts that may be told"` // mean over the topics
	Topics    []evaluate.Coherence `json:"topics" gate:"from counts that may be told"`
	Diversity float64              `json:"diversity" gate:"features"`
	Unknown   []string             `json:"unknown,omitempty"` // words that the records do not know
}

// foreignTopics judges the topics in a file on the records of a run, or on new
// ones read as those were.
func (a *app) foreignTopics(ctx context.Context, e *evaluating, path string, args []string) error {
	lists, err := readTopics(e.topicsFile)
	if err != nil {
		return ofData(err)
	}
	r, err := a.openRun(path)
	if err != nil {
		return err
	}
	ctx = a.listening(ctx)
	d, forget, err := e.data(ctx, r, args)
	if err != nil {
		return err
	}
	defer forget()
	if d.Sequences || d.Layout == dataset.Dense {
		return misuse("--topics: topics are judged on words or codes, not on sequences or measurements")
	}
	index := d.Vocab.Index()
	found, unknown := evaluate.Lookup(lists, func(w string) (int, bool) { h, ok := index[w]; return h, ok })
	if !slices.ContainsFunc(found, func(words []int) bool { return len(words) > 1 }) {
		return fmt.Errorf("%w: no topic of %s has two words that the records know", fit.ErrTooLittle, e.topicsFile)
	}
	gate := explain.NewGate(r.Manifest.Health, r.Manifest.MinCell, false, d.Len())
	topics, err := evaluate.TopicCoherence(ctx, d.Runner(e.machine.workers), found, gate.Limit)
	if err != nil {
		return err
	}
	f := &foreign{
		Run: path, Ring: gate.Ring, Records: gate.Size(d.Len()), Topics: topics, Coherence: evaluate.MeanCoherence(topics),
		Diversity: evaluate.Diversity(found), Unknown: unknown,
	}
	if a.json {
		return a.document("topics", f)
	}
	a.print("%s of %s judged on %s.\n", count(len(topics), "topic", "topics"), e.topicsFile, counted(f.Records, "record", "records"))
	a.print("Coherence, counted by whole records: NPMI %.3f, C_v %.3f, UMass %.4g. Diversity %.2f.\n", f.Coherence.NPMI, f.Coherence.CV, f.Coherence.UMass, f.Diversity)
	for j, t := range topics {
		a.print("  topic %d: NPMI %.3f, UMass %.4g\n", j+1, t.NPMI, t.UMass)
	}
	if len(unknown) > 0 {
		a.print("Left out, because no record has them: %s.\n", strings.Join(unknown, ", "))
	}
	if gate.Limit > 0 {
		a.print("Words of fewer than %d records count as missing, and words that fewer share as never together.\n", gate.Limit)
	}
	if words := gate.Words(); words != "" {
		a.print("\n%s\n", wrap(words, 100, ""))
	}
	return nil
}

// readTopics reads topics as JSON, a list of lists of words or {"topics": …} as
// OCTIS writes it, or as text, one topic a line, words by falling weight between
// spaces or commas.
func readTopics(path string) ([][]string, error) {
	data, err := readText(path)
	if errors.Is(err, errNoText) || errors.Is(err, errLongText) {
		return nil, &record.ParseError{File: path, Msg: err.Error()}
	}
	if err != nil {
		return nil, err
	}
	var lists [][]string
	switch text := bytes.TrimSpace(data); {
	case bytes.HasPrefix(text, []byte("{")):
		var named struct {
			Topics [][]string `json:"topics"`
		}
		err = json.Unmarshal(text, &named)
		lists = named.Topics
	case bytes.HasPrefix(text, []byte("[")):
		err = json.Unmarshal(text, &lists)
	default:
		for line := range strings.Lines(string(text)) {
			words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ,;\t\r\n", r) })
			if len(words) > 0 {
				lists = append(lists, words)
			}
		}
	}
	if err == nil && len(lists) == 0 {
		err = fmt.Errorf("no topic in it: write one a line, or a list of lists as JSON")
	}
	if err != nil {
		return nil, &record.ParseError{File: path, Msg: err.Error()}
	}
	return lists, nil
}
