package api

import (
	"context"

	"github.com/moiety-go/moiety/internal/phrases"
)

// WordsRequest is texts of answers, to be said in a language.
type WordsRequest struct {
	Language string   `json:"language"` // "en" or "es"
	Texts    []string `json:"texts"`
}

// Words are the texts of a WordsRequest, in its language.
type Words struct {
	Texts []string `json:"texts"`
}

// mostTexts bounds the texts of one request.
const mostTexts = 500

// Words says texts that the program keeps in English (warnings, reasons, notes on what was
// read, errors) in another language; one without words in it stays as it is.
func (a *API) Words(_ context.Context, r WordsRequest) (*Words, error) {
	l := phrases.Language(r.Language)
	if !l.Known() {
		return nil, refused("There are no words in the language %q: choose en or es.", r.Language)
	}
	if len(r.Texts) > mostTexts {
		return nil, refused("%d texts were given, and %d are the most.", len(r.Texts), mostTexts)
	}
	out := &Words{Texts: make([]string, len(r.Texts))}
	for i, text := range r.Texts {
		out.Texts[i] = l.Shown(text)
	}
	return out, nil
}
