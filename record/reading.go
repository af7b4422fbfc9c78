package record

// Reading says what is known about data that are to be read. The zero value looks
// at the data for everything.
type Reading struct {
	Format string // delimited, jsonl, uci, ...: "moiety fit --help" lists them; "" and "auto": look at the data

	ID    string   // column or field of the record's id
	Code  string   // column of codes, or field of tokens; for wide lists a pattern: "dx*"
	Count string   // column of counts in long tables
	Text  string   // column or field of running text
	Time  string   // column of times
	Label []string // columns that describe records and never enter a fit
	// Freq is a column that says how many records a row stands for.
	Freq string
	// Columns are the columns of features of wide tables, names or patterns; those of the
	// form NAME=kind choose none and say what a column holds, whatever its cells look like:
	// answers, ordered, counts, measurements or presence.
	Columns []string
	// Unit is what one record is: "patient", "stay" or "row".
	Unit string

	Header    string // "yes", "no", or "" to look
	Separator string // ",", ";", "tab", "|", "space", or "" to look
	Decimal   string // "." or ",", or "" to look
	// Lines says how documents lie in lines: "plain", "id" for id<TAB>text,
	// "mallet" for "id label text", "fasttext" for "__label__a text", or "" for plain.
	Lines string

	VocabFile string // names of the features: for uci, mtx, svmlight and digits
	IDsFile   string // names of the records, for mtx
	Sheet     string // sheet of a workbook; "": the first
	Encoding  string // of texts and tables: "latin1", "windows-1250", ...; "": looked for
	Transpose bool   // mtx and tables: records are the columns
	System    string // code system to take, for fhir
	OMOP      OMOP

	SkipLines int // lines above the table; 0 looks at the data
	Strict    bool
	// SkipMalformed is the share of the records that may be left out because they
	// are malformed; 0 means 1 %.
	SkipMalformed float64
}

// OMOP are the options of a database in the OMOP common data model.
type OMOP struct {
	Schema       string // schema of the tables
	Table        string // "condition" (also when empty), "drug", "procedure"
	SourceValues bool   // codes of the source instead of concepts
	Cohort       int64  // cohort_definition_id, 0: everybody
	CohortSchema string
}
