package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/show"
)

// Values of --probabilities.
const (
	bestOnly   = "best"
	everyGroup = "all"
)

// addProbabilities defines --probabilities on a command.
func addProbabilities(c *cobra.Command, value *string) {
	c.Flags().StringVar(value, "probabilities", bestOnly, "of the best group of every record, or of all")
	complete(c, "probabilities", bestOnly, everyGroup)
}

// placesForm is the form in which places of records are written.
type placesForm struct {
	ending string // .npz, .npy, .json, or nothing for a table
	all    bool   // the probabilities of all groups
	known  outfile.Form
}

// newPlacesForm chooses the form by what is asked for and the name of the file.
func newPlacesForm(probabilities, path string) (placesForm, error) {
	if err := oneOf("probabilities", probabilities, bestOnly, everyGroup); err != nil {
		return placesForm{}, err
	}
	f := placesForm{all: probabilities == everyGroup}
	switch ending := strings.ToLower(filepath.Ext(path)); {
	case ending == ".npz" || ending == ".npy" || ending == ".json":
		if !f.all {
			return f, misuse("%s: such files hold the probabilities of all groups: write --probabilities all", path)
		}
		f.ending, f.known = ending, formOf("places"+ending)
	default:
		f.known = tableForm("assignments.csv")
	}
	return f, nil
}

// begin gets ready for the form that was asked for.
func (s *scorer) begin(placer *fit.Placer, dir string) (err error) {
	if !s.form.all {
		return nil
	}
	all, err := placer.Posterior()
	if err != nil {
		return err
	}
	s.all = all
	if s.form.ending != "" {
		s.places, err = show.NewPlaces(dir, s.to.ids)
	}
	return err
}

// finish writes what had to wait for the last record.
func (s *scorer) finish() error {
	switch s.form.ending {
	case ".npz":
		return s.places.NPZ(s.w)
	case ".npy":
		return s.places.NPY(s.w)
	case ".json":
		return s.places.JSON(s.w)
	}
	return nil
}

// close forgets what was collected.
func (s *scorer) close() {
	if s.places != nil {
		s.places.Close()
	}
}
