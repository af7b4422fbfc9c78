package source

import (
	"bytes"

	"github.com/moiety-go/moiety/internal/pattern"
)

// refused are files that are named in the error, with what to do: their first bytes,
// from a place on.
var refused = []struct {
	at    int
	magic string
	what  string
}{
	{0, "PK\x03\x04", "a zip archive; unpack it first"},
	{0, "PAR1", "a Parquet file; use ‹format› parquet"},
	{0, "\x93NUMPY", "a numpy array; use ‹format› npy"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"},
	{0, "\x04\x22\x4d\x18", "an lz4 archive; unpack it first"},
	{0, "\x1f\x9d", "a file of the old compress (.Z); unpack it first"},
	{0, "%PDF", "a PDF document; save its text first"},
	{0, "\xd0\xcf\x11\xe0", "an old Excel or Word file; save it as CSV or xlsx"},
	{0, "ARROW1", "a Feather or Arrow file; use ‹format› arrow"},
	{0, "\xff\xff\xff\xff", "a stream of Arrow batches; save it as a Feather file or as Parquet"},
	{0, "FEA1", "a Feather file; save it as Parquet: df.to_parquet(…)"},
	{0, "\x80\x02", pickle},
	{0, "\x80\x03", pickle},
	{0, "\x80\x04\x95", pickle},
	{0, "\x80\x05\x95", pickle},
	{0, "\x89HDF\r\n", "an HDF5 file; save its table as CSV or Parquet"},
	{0, "SQLite format 3\x00", `an SQLite database; save the table as CSV: sqlite3 -header -csv FILE "select * from TABLE" > table.csv`},
	{8, "DUCK", `a DuckDB database; save the table: duckdb FILE -c "copy TABLE to 'table.parquet'"`},
	{0, "RDX2\n", "an R workspace; save the table by write.csv"},
	{0, "RDX3\n", "an R workspace; save the table by write.csv"},
	{0, "$FL2@(#)", "an SPSS file; save it as CSV"},
	{0, "<stata_dta>", "a Stata file; save it as CSV"},
	{0, "s\x02\x01\x00", "a Stata file; save it as CSV"},
	{0, "r\x02\x01\x00", "a Stata file; save it as CSV"},
	{0, "##fileformat=VCF", "a list of variants (VCF), a line a locus; save it as a table of 0, 1 and 2, a line an individual: plink --recode A"},
	{0, "PK\x05\x06", "a zip archive with nothing in it"},
	{0, "<?xml", "an XML document; save its table as CSV"},
	{0, "{\\rtf", "a text document (RTF); save it as plain text"},
	{0, "\x89PNG", "a picture"},
	{0, "\xff\xd8\xff", "a picture"},
	{0, "GIF8", "a picture"},
	{0, "X\n\x00\x00\x00", "an R object (rds); save the table by write.csv"},
	{0, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60", "a SAS file; save it as CSV"},
	{0, "version https://git-lfs", "a pointer of Git LFS, not the file itself; fetch it with: git lfs pull"},
	{0, "Rar!\x1a\x07", "a RAR archive; unpack it first"},
	{257, "ustar", "a tar archive; unpack it first"},
	{0, "\x1f\x8b", "packed twice; unpack it once"},
	{0, "HEADER RECORD*******", "a SAS transport file (xpt); save it as CSV"},
	{0, "\x00\x01\x00\x00Standard Jet DB", access},
	{0, "\x00\x01\x00\x00Standard ACE DB", access},
	{0, "ORC\x00", orc},
	{0, "ORC\x08", orc},
	{0, "Obj\x01", "an Avro file; save it as CSV or Parquet"},
	{0, "MATLAB 5.0 MAT-file", "a MATLAB file; save the matrix by writematrix"},
	{128, "DICM", "a picture of medicine (DICOM)"},
	{0, "\x6c\x1b\x01", "a binary genotype file of PLINK; write a table of 0, 1 and 2, a line a person: plink --bfile … --recode A"},
	{0, "BCF\x02", "a list of variants (BCF), a line a locus; save it as a table of 0, 1 and 2, a line an individual: plink --bcf … --recode A"},
}

const (
	access = "a database of Access; save the table as CSV"
	orc    = "an ORC file; save it as CSV or Parquet"
	pickle = "a Python pickle, which can run programs when it is opened; save the data as CSV, npz or Parquet"
)

// Pages: of the web, or a table that a program wrote as a page and called a workbook.
var (
	page      = pattern.New(`(?i)^\s*<(!doctype|html|head|body|meta|style|div)\b`)
	pageTable = pattern.New(`(?i)<table\b`)
)

const (
	web     = "a web page, perhaps one that says why the file could not be had; fetch the file again"
	sheeted = "a table written as a web page, as some programs do for spreadsheets; open it in a spreadsheet program and save it as CSV or xlsx"
)

// named returns what a file is that is not read, "" for all others.
func named(start []byte) string {
	for _, f := range refused {
		if len(start) > f.at && bytes.HasPrefix(start[f.at:], []byte(f.magic)) {
			return f.what
		}
	}
	start = bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))
	switch at := pageTable.FindIndex(start); {
	case at != nil && (page.Match(start) || len(bytes.TrimSpace(start[:at[0]])) == 0):
		return sheeted
	case page.Match(start):
		return web
	}
	return ""
}
