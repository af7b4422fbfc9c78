package moiety

import (
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/setting"
)

// fieldError words an error for who calls the library: where the rooms below name
// settings, it names fields.
type fieldError struct {
	text string
	err  error
}

func (e fieldError) Error() string { return e.text }
func (e fieldError) Unwrap() error { return e.err }

// flagFields are the fields of Options that settings are.
var flagFields = map[string]string{
	"id": "Read.ID", "code": "Read.Code", "count": "Read.Count", "text": "Read.Text", "time": "Read.Time", "label": "Read.Label",
	"freq": "Read.Freq", "columns": "Read.Columns", "unit": "Read.Unit", "format": "Read.Format", "header": "Read.Header",
	"separator": "Read.Separator", "decimal": "Read.Decimal", "lines": "Read.Lines", "vocab-file": "Read.VocabFile", "ids-file": "Read.IDsFile",
	"encoding": "Read.Encoding", "sheet": "Read.Sheet", "transpose": "Read.Transpose", "skip-lines": "Read.SkipLines", "strict": "Read.Strict",
	"skip-malformed": "Read.SkipMalformed", "where": "Encode.Where", "include": "Encode.Include", "exclude": "Encode.Exclude",
	"system": "Encode.System", "rollup": "Encode.Rollup", "counts": "Encode.Counts", "titles": "Encode.Titles", "min-df": "Encode.MinDF",
	"max-df": "Encode.MaxDF", "vocab": "Encode.Vocab", "stopwords": "Encode.Stopwords", "ngrams": "Encode.Ngrams", "min-codes": "Encode.MinCodes",
	"model": "Model", "method": "Method", "refine": "Refine", "prior": "Prior", "views": "Views", "seed": "Seed", "leaves": "Leaves",
	"levels": "Levels", "groups": "Groups", "workers": "Workers", "max-memory": "Memory", "min-cell": "MinCell", "health": "Health",
}

var whereAt = pattern.New(`(^|: )where: at `)

// field is the field of Options that a setting is.
func field(name string) string {
	if field, ok := flagFields[name]; ok {
		return "Options." + field
	}
	return `Options.Settings["` + name + `"]`
}

// paths words what the command line calls a place with -o.
var paths = strings.NewReplacer(
	"choose another name with ‹out›", "choose another path", "choose another with ‹out›", "choose another path",
	`the folder that "moiety fit -o" wrote`, `the folder that Save or "moiety fit" wrote`, "‹out›", "the path", "‹force›", "force",
)

// inFields words an error of the rooms below; nil stays nil.
func inFields(err error) error {
	if err == nil {
		return nil
	}
	text := whereAt.ReplaceAllString(setting.Say(paths.Replace(err.Error()), field), "${1}Options.Encode.Where: at ")
	if text == err.Error() {
		return err
	}
	return fieldError{text, err}
}
