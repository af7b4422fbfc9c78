package model

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/family"
)

// Settings returns the settings of all models, each once, in the order of the
// table.
func Settings() []family.Setting {
	var out []family.Setting
	for _, info := range Infos() {
		for _, s := range info.Settings {
			if !slices.ContainsFunc(out, func(t family.Setting) bool { return t.Name == s.Name }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// With returns the names of the models that have a setting.
func With(setting string) []string {
	var out []string
	for _, info := range Infos() {
		if slices.ContainsFunc(info.Settings, func(s family.Setting) bool { return s.Name == setting }) {
			out = append(out, info.Name)
		}
	}
	return out
}

// word returns the field of a setting that is a word, nil for another.
func (s *Spec) word(setting string) *string {
	return map[string]*string{"moments": &s.Moments, "weights": &s.Weights, "variance": &s.Variance, "covariance": &s.Covariance, "inference": &s.Inference}[setting]
}

// Settings that are numbers, or a word.
const (
	concentration = "alpha0" // or "auto"
	trials        = "trials" // or "moments"
)

// ByMoments is the word for a number that the moments are to tell; estimated stands for
// it in Spec.Trials.
const (
	ByMoments = "moments"
	estimated = -1
)

// Set sets a setting of the model by its name; "" and the word auto leave it to
// the model. Whether the model has it, and the word, are checked by Family.
func (s *Spec) Set(setting, word string) error {
	if field := s.word(setting); field != nil {
		*field = word
		return nil
	}
	if setting == trials {
		return s.setTrials(word)
	}
	if setting != concentration {
		return fmt.Errorf("model: no model has the setting %q", setting)
	}
	s.Alpha0 = 0
	if word == "" || word == "auto" {
		return nil
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x > 0) {
		return fmt.Errorf("write a number above 0, or auto")
	}
	s.Alpha0 = x
	return nil
}

func (s *Spec) setTrials(word string) error {
	s.Trials = 0
	switch word {
	case "", "auto":
		return nil
	case ByMoments:
		s.Trials = estimated
		return nil
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 {
		return fmt.Errorf("write a whole number of 1 or more, or %s to have it estimated", ByMoments)
	}
	s.Trials = n
	return nil
}

// Value returns the word of a setting, "" where it is left to the model.
func (s Spec) Value(setting string) string {
	if field := s.word(setting); field != nil {
		return *field
	}
	switch {
	case setting == concentration && s.Alpha0 != 0:
		return strconv.FormatFloat(s.Alpha0, 'g', -1, 64)
	case setting == trials && s.Trials == estimated:
		return ByMoments
	case setting == trials && s.Trials > 0:
		return strconv.Itoa(s.Trials)
	}
	return ""
}
