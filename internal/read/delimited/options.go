package delimited

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/par"
)

// Shape says what the rows of a table are.
type Shape string

// Shapes, in the words of --format.
const (
	Long        Shape = "long"        // id, code[, count][, time]: one row an occurrence
	List        Shape = "wide"        // id, dx1..dxN: one row a record, the columns share one vocabulary
	Binary      Shape = "binary"      // one column a feature, 0/1
	Counts      Shape = "counts"      // one column a feature, whole numbers
	Real        Shape = "real"        // one column a measurement
	Categorical Shape = "categorical" // one column a question, text or numbers as levels
	Mixed       Shape = "mixed"       // columns of different kinds
	Text        Shape = "text"        // one column of running text
	Sequences   Shape = "sequences"   // id, time, symbol or numbers; or id, t1..tT
	Digits      Shape = "digits"      // one line a record, one digit a feature
	Genotypes   Shape = "genotypes"   // one column a locus, 0, 1 or 2 copies of an allele
)

// Wide reports the shapes with one column a feature.
func Wide(s Shape) bool {
	switch s {
	case Binary, Counts, Real, Categorical, Mixed, Genotypes:
		return true
	}
	return false
}

// Header says whether the first line names the columns.
type Header int

// Headers.
const (
	SniffHeader Header = iota
	WithHeader
	NoHeader
)

// Options of a table. The zero value of every field but Shape means: look at
// the data.
type Options struct {
	Shape     Shape
	Separator byte
	Header    Header
	// Decimal is the decimal sign, '.' or ','; 0 looks at the data.
	Decimal byte

	ID    string // column with the id of the record
	Code  string // column of codes; for lists a pattern or names joined by commas: "dx*"
	Count string // column of counts, for long tables
	// NoCount says that no column is taken for counts unasked.
	NoCount bool
	Text    string // column of running text
	Time    string // column of times, orders sequences
	// Version is a column whose value is put before the code: "9:4280". Empty:
	// a column named like icd_version.
	Version string
	// Columns are the columns of features of a wide table, names or patterns;
	// empty: all that are not something else.
	Columns []string
	// Kinds are what the user says that columns hold, Typed what their types in the file say.
	Kinds, Typed []Declared
	// Label are columns that never become features; they are side columns.
	Label []string
	// Freq is a column of frequencies: a side column, for whoever reads the table.
	Freq string
	// Unit is what one record is where the table leaves a choice: "patient",
	// "stay" or "row". Empty: the patient before the stay in long tables, the
	// row in lists.
	Unit string
	// Group brings the rows of one id together also for lists, so that the
	// record is the patient and not the row.
	Group bool
	Names []string // names of the features, for digits and tables without header

	// SkipLines is the number of lines above the table; 0 looks at the data.
	SkipLines int
	// Guessed says that nobody named the shape: a cell that does not fit widens
	// its column, and no row is left out for it.
	Guessed bool

	// Like is how the columns of an earlier table were read; nil: look.
	Like *Like
	// Coded returns the log-odds that values are codes of a system that somebody
	// knows, and not plain numbers or answers; nil: nobody knows one.
	Coded func(values []string) float64

	// Strict says that the shape was asked for and must hold: a column that does
	// not fit is no side column, its cells are malformed.
	Strict bool

	// Seen is what Look found on the first input, with the same separator, header
	// and decimal sign; nil: New looks itself.
	Seen *Profile

	MaxMemory int64  // bytes for grouping before temporary files are used; 0: 1 GiB
	TempDir   string // folder of temporary files; "": the system's
	Workers   int    // 0: all cores
	ChunkSize int    // bytes of one piece of work; 0: 1 MiB, less where memory is short
	MaxLine   int    // longest line; 0: 64 MiB
}

const (
	defaultMemory = 1 << 30
	defaultChunk  = 1 << 20
	leastChunk    = defaultChunk / 2
	sampleBytes   = 1 << 20 // what is looked at to tell the shape
	sampleRows    = 10000
)

func (o Options) withDefaults() Options {
	if o.MaxMemory <= 0 {
		o.MaxMemory = defaultMemory
	}
	// Every worker has two pieces under way, with what they are parsed into: where memory
	// is short they are smaller, and then fewer.
	o.Workers = par.Workers(o.Workers)
	if o.ChunkSize <= 0 {
		o.ChunkSize = int(min(defaultChunk, max(leastChunk, o.MaxMemory/int64(4*o.Workers))))
	}
	o.Workers = min(o.Workers, max(2, int(o.MaxMemory/int64(4*o.ChunkSize))))
	o.Group = o.Group || o.Unit == "patient" || o.Unit == "stay"
	return o
}

// check refuses what cannot be meant.
func (o Options) check() error {
	switch o.Shape {
	case Long, List, Binary, Counts, Real, Categorical, Mixed, Text, Sequences, Digits, Genotypes:
	default:
		return fmt.Errorf("unknown shape of table %q", o.Shape)
	}
	if o.Decimal != 0 && o.Decimal != '.' && o.Decimal != ',' {
		return fmt.Errorf("the decimal sign is %q, it can be a point or a comma", o.Decimal)
	}
	if o.Unit != "" && o.Unit != "patient" && o.Unit != "stay" && o.Unit != "row" {
		return fmt.Errorf("unknown unit %q; it can be patient, stay or row", o.Unit)
	}
	if strings.IndexByte("\"\r\n", o.Separator) >= 0 && o.Separator != 0 {
		return fmt.Errorf("the separator cannot be %q", o.Separator)
	}
	return nil
}
