package read

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Tables of counts are often written with a gene, a species or a probe a line and a
// cell or a sample a column. What the lines are is recognised by the name above them, or
// by the form of their own names; that the numbers are counts, by the cells.
var (
	featureName = pattern.New(`(?i)^#?\s*(gene|genes|gene[ _.-]?(id|name|symbol)|symbol|hgnc[ _.]?symbol|ensembl([ _.]?(gene)?[ _.]?id)?|probe([ _.]?(set|id))*|otu([ _.-]?id)?|asv([ _.-]?id)?|taxon|feature[ _.-]?id)$`)
	// geneName is what stands above genes and the like alone, and never above shares
	// of companies or other things with a symbol.
	geneName    = pattern.New(`(?i)^#?\s*(gene|genes|gene[ _.-]?(id|name|symbol)|hgnc[ _.]?symbol|ensembl([ _.]?(gene)?[ _.]?id)?|probe([ _.]?(set|id))*|otu([ _.-]?id)?|asv([ _.-]?id)?)$`)
	geneForm    = pattern.New(`^"?ENS[A-Z]{0,4}G\d{6,}`)
	barcodeForm = pattern.New(`^[ACGT]{8,}([-_.]\w+)?$`)
)

const (
	leastSamples = 10 // columns of counts below which a table stays as it is
	countedLines = 20 // that are looked at
	sureOfCodes  = 8  // evidence from which the names of lines are diagnoses, as of columns
)

// sideways is how a table lies.
type sideways int

const (
	standing         sideways = iota
	asked                     // it is to be turned
	counted                   // its lines are counted features
	measuredSideways          // its lines are measured features
	mixedSideways             // its lines are numbers or words
	codedSideways             // its lines are codes that records have or not
	longMeasured              // a line for each measurement
	perhaps                   // its lines may be features
)

// sidewaysByName tells a table of counts or measurements that lies on its side.
// Columns of measurements may be variables of all kinds, so they have to be on one
// scale too, and with numbers below 0 they may still be statistics of the genes.
func sidewaysByName(lines []string) sideways {
	at := headOf(lines)
	if at < 0 || len(lines) < at+4 {
		return standing
	}
	sep := separatorOf(lines[at])
	if sep == "" {
		return standing
	}
	head, body := strings.Split(lines[at], sep), lines[at+1:min(len(lines), at+1+countedLines)]
	genes, counts, rows := 0, true, [][]string{}
	flags, names := true, []string{}
	for _, l := range body {
		cells := strings.Split(l, sep)
		if geneForm.MatchString(cells[0]) {
			genes++
		}
		counts = counts && fewWordsBehind(cells, isCount)
		flags = flags && !slices.ContainsFunc(cells[1:], func(c string) bool { return c != "0" && c != "1" && c != "" })
		names = append(names, strings.Trim(cells[0], `" `))
		if !fewWordsBehind(cells, isNumberOrNone) || len(cells) != len(head) && len(cells) != len(head)+1 {
			return standing
		}
		rows = append(rows, cells)
	}
	barcodes := 0
	for _, name := range head {
		if barcodeForm.MatchString(strings.Trim(name, `"`)) {
			barcodes++
		}
	}
	above := strings.Trim(head[0], `" `)
	formed := 10*genes >= 9*len(body) || 10*barcodes >= 8*len(head)
	switch {
	case len(head) <= leastSamples:
		return standing
	case flags && codes.Evidence(names) > sureOfCodes:
		return codedSideways
	case counts && (formed || featureName.MatchString(above)):
		return counted
	case !formed && !geneName.MatchString(above):
		return standing
	}
	return onOneScale(rows)
}

// Columns on one scale: their means differ by no more than so many deviations of a
// column, and no column is spread much wider than another.
const (
	farMeans  = 5
	farSpread = 8
)

// onOneScale tells columns that can be the same measurement of different samples.
func onOneScale(rows [][]string) sideways {
	var means, spreads []float64
	least := 0.0
	for j := 1; j < len(rows[0]); j++ {
		var n, sum, squares float64
		for _, row := range rows {
			if x, err := strconv.ParseFloat(strings.Trim(row[min(j, len(row)-1)], `" `), 64); err == nil {
				n, sum, squares = n+1, sum+x, squares+x*x
				least = min(least, x)
			}
		}
		if n < 2 {
			continue
		}
		means = append(means, sum/n)
		spreads = append(spreads, math.Sqrt(max(0, squares/n-sum*sum/n/n)))
	}
	if len(means) < leastSamples {
		return standing
	}
	slices.Sort(spreads)
	low, middle, high := spreads[len(spreads)/20], spreads[len(spreads)/2], spreads[len(spreads)-1]
	switch {
	case slices.Max(means)-slices.Min(means) > farMeans*middle || high > farSpread*middle || middle > farSpread*low:
		return standing
	case least < 0:
		return perhaps
	}
	return measuredSideways
}

// headOf is the line of names: the first that is no comment, or the last comment
// that has columns.
func headOf(lines []string) int {
	for i, l := range lines[:min(len(lines), 4)] {
		if sep := separatorOf(l); sep != "" && strings.Count(l, sep) >= leastSamples {
			return i
		}
		if !strings.HasPrefix(l, "#") {
			return -1
		}
	}
	return -1
}

func separatorOf(line string) string {
	for _, sep := range []string{"\t", ",", ";"} {
		if strings.Count(line, sep) >= leastSamples {
			return sep
		}
	}
	return ""
}

// fewWordsBehind reports a name and numbers, with at most two cells of words at the
// end.
func fewWordsBehind(cells []string, is func(string) bool) bool {
	if len(cells) < 2 || isNumber(strings.Trim(cells[0], `" `)) {
		return false
	}
	words := 0
	for _, c := range cells[1:] {
		if is(c) && words == 0 {
			continue
		}
		if words++; words > 2 || isNumber(c) {
			return false
		}
	}
	return len(cells)-1-words >= leastSamples
}

// isNumberOrNone reports a number or a missing one.
func isNumberOrNone(cell string) bool {
	cell = strings.Trim(cell, `" `)
	_, err := strconv.ParseFloat(cell, 64)
	return err == nil || cell == "" || cell == "NA"
}

// isCount reports a whole number from 0, also one written with a point.
func isCount(cell string) bool {
	x, err := strconv.ParseFloat(strings.Trim(cell, `" `), 64)
	return err == nil && x >= 0 && x == float64(int64(x))
}

// uprightNumbers takes out what stands above the names of the samples and, behind the
// numbers, words about the features.
func uprightNumbers(rows [][]string) [][]string {
	for len(rows) > 1 && len(rows[0]) < len(rows[len(rows)-1])-1 {
		rows = rows[1:]
	}
	if len(rows) < 2 {
		return nil
	}
	if len(rows[0]) == len(rows[1])-1 { // names of the samples alone
		rows[0] = append([]string{""}, rows[0]...)
	}
	width := numbersTo(rows[1])
	for i, row := range rows {
		rows[i] = row[:min(width, len(row))]
	}
	rows[0][0] = ""
	return rows
}

// numbersTo returns where the numbers of a line end.
func numbersTo(row []string) int {
	width := len(row)
	for width > 1 && !isNumberOrNone(row[width-1]) {
		width--
	}
	return width
}

// strange names files of letters and of matrices that are no table and no text.
func strange(name string, lines []string) error {
	if len(lines) < 2 {
		return nil
	}
	if err := fieldLines(name, lines); err != nil {
		return err
	}
	if kind := ofResidues(lines); kind != "" {
		return fmt.Errorf("%s: %w: it is a %s file; for sequences of symbols write one sequence a line with blanks between the letters, for aligned ones a table with a column a position", name, source.ErrBinary, kind)
	}
	fields := strings.Fields(strings.NewReplacer(",", " ", ";", " ").Replace(lines[0]))
	if lgen := strings.ToLower(strings.Join(fields, " ")); strings.HasPrefix(lgen, "fid iid snp") || strings.HasPrefix(lgen, "fid iid marker") {
		return fmt.Errorf("%s: %w: it is a list of genotypes of PLINK, a line a person and locus; %s", name, source.ErrBinary, recoded("lfile"))
	}
	if isPed(lines[0]) && isPed(lines[1]) {
		return fmt.Errorf("%s: %w: it is a pedigree file of PLINK, two letters a locus; %s", name, source.ErrBinary, recoded("file"))
	}
	return nil
}

// recoded says how PLINK writes a table that is read.
func recoded(from string) string {
	return "write a table of 0, 1 and 2, a line a person: plink --" + from + " … --recode A"
}

// isPed reports six columns about a person and two alleles a locus.
func isPed(line string) bool {
	f := strings.Fields(line)
	if len(f) < 6+2*leastSamples/2 || len(f)%2 != 0 || len(f[4]) != 1 || !strings.Contains("012", f[4]) {
		return false
	}
	for _, allele := range f[6:] {
		if len(allele) != 1 || !strings.Contains("ACGTacgt0", allele) {
			return false
		}
	}
	return true
}

// plinkRaw is how a table of allele counts begins that PLINK wrote.
const plinkRaw = "FID IID PAT MAT SEX PHENOTYPE "

// asGenotypes names the columns of such a table: the person, what is beside it, and
// counts of alleles.
func asGenotypes(ctx context.Context, in source.Input, o Options, p *record.Problems) (Options, error) {
	if o.ID != "" || len(o.Label) > 0 || len(o.Columns) > 0 {
		return o, nil
	}
	if _, packed, err := contained(ctx, in); packed || err != nil {
		return o, nil // whoever opens it says what is wrong
	}
	head, err := in.Head(ctx, sniffBytes)
	first, _, _ := strings.Cut(string(head), "\n")
	if err != nil || !strings.HasPrefix(strings.Join(strings.Fields(first), " "), plinkRaw) {
		return o, err
	}
	p.Note("%s is a table of allele counts of PLINK: IID names the records, and FID, PAT, MAT, SEX and PHENOTYPE stay beside them", in.Name)
	o.Format, o.ID, o.Label = "genotypes", "IID", []string{"FID", "PAT", "MAT", "SEX", "PHENOTYPE"}
	return o, nil
}

var residues = pattern.New(`^[A-Za-z*.-]{3,}$`)

// ofResidues names files of sequences of letters: FASTA, where a name stands above
// each, and FASTQ, where as many marks of quality stand below.
func ofResidues(lines []string) string {
	if lines[0][0] != '>' && lines[0][0] != '@' {
		return ""
	}
	names := 0
	for _, l := range lines {
		if strings.HasPrefix(l, ">") {
			names++
		} else if !residues.MatchString(strings.TrimSpace(l)) {
			names = -len(lines)
		}
	}
	switch {
	case strings.HasPrefix(lines[0], ">") && names >= 2:
		return "FASTA"
	case len(lines) >= 4 && lines[0][0] == '@' && lines[2][0] == '+' && len(lines[1]) == len(lines[3]) && residues.MatchString(lines[1]):
		return "FASTQ"
	}
	return ""
}
