package moiety

import (
	"regexp"
	"strings"
)

// fieldError words an error for who calls the library: where the rooms below name
// flags of the command line, it names fields.
type fieldError struct {
	text string
	err  error
}

func (e fieldError) Error() string { return e.text }
func (e fieldError) Unwrap() error { return e.err }

// flagFields are the fields of Options that flags fill.
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

var (
	longFlag  = regexp.MustCompile(`--([a-z][a-z0-9-]*)`)
	groupFlag = regexp.MustCompile(`(^|[ (,])-k\b`)
	whereAt   = regexp.MustCompile(`(^|: )where: at `)
)

// inFields words an error of the rooms below; nil stays nil.
func inFields(err error) error {
	if err == nil {
		return nil
	}
	text := longFlag.ReplaceAllStringFunc(err.Error(), func(flag string) string {
		name := strings.TrimPrefix(flag, "--")
		if field, ok := flagFields[name]; ok {
			return "Options." + field
		}
		return `Options.Settings["` + name + `"]`
	})
	text = groupFlag.ReplaceAllString(text, "${1}Options.Groups")
	text = whereAt.ReplaceAllString(text, "${1}Options.Encode.Where: at ")
	text = strings.ReplaceAll(text, `the folder that "moiety fit -o" wrote`, `the folder that Save or "moiety fit" wrote`)
	text = strings.ReplaceAll(text, ": choose another name with -o", ": choose another path")
	text = strings.ReplaceAll(text, "choose another with -o", "choose another path")
	if text == err.Error() {
		return err
	}
	return fieldError{text, err}
}
