package encode

import (
	"fmt"

	snowball "github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// stemmer returns the function that cuts a word of a language to its stem.
func stemmer(language string) (func(string) string, error) {
	var stem func(*snowball.Env) bool
	switch language {
	case "arabic":
		stem = arabic.Stem
	case "danish":
		stem = danish.Stem
	case "dutch":
		stem = dutch.Stem
	case "english":
		stem = english.Stem
	case "finnish":
		stem = finnish.Stem
	case "french":
		stem = french.Stem
	case "german":
		stem = german.Stem
	case "hungarian":
		stem = hungarian.Stem
	case "italian":
		stem = italian.Stem
	case "norwegian":
		stem = norwegian.Stem
	case "portuguese":
		stem = portuguese.Stem
	case "romanian":
		stem = romanian.Stem
	case "russian":
		stem = russian.Stem
	case "spanish":
		stem = spanish.Stem
	case "swedish":
		stem = swedish.Stem
	case "turkish":
		stem = turkish.Stem
	case "":
		return nil, fmt.Errorf("encode: stemming needs a language and the texts do not show one: name it with ‹stopwords› LANG")
	default:
		return nil, fmt.Errorf("encode: there is no stemmer for %s: leave stemming off", language)
	}
	env := snowball.NewEnv("")
	return func(word string) string {
		env.SetCurrent(word)
		stem(env)
		if s := env.Current(); s != "" {
			return s
		}
		return word
	}, nil
}
