//go:build ignore

// Command generate writes icd9cm.txt.gz from the public-domain tables of the
// US government: the ICD-9-CM hierarchy and billable codes of version 32
// (fiscal year 2015, CMS and CDC/NCHS) and the single-level CCS table $DXREF
// 2015 (AHRQ HCUP). Give it the folder that holds them:
//
//	go run generate.go ../../../shared/data/icd9cm
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

const head = `# ICD-9-CM, version 32 (fiscal year 2015): three-digit categories, chapters
# and the list of codes, from the tables of CMS and CDC/NCHS;
# single-level CCS groups from AHRQ HCUP, $DXREF 2015. Works of the US
# government, public domain. Short titles of chapters and CCS groups: this project.
`

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run generate.go FOLDER")
	}
	dir := os.Args[1]
	var out bytes.Buffer
	out.WriteString(head)
	categories(&out, table(dir, "icd9_majors.csv.gz"))
	titles(&out)
	codeList(&out, known(dir), ccs(dir))
	write("icd9cm.txt.gz", out.Bytes())
}

func open(dir, name string) io.Reader {
	f, err := os.Open(filepath.Join(dir, name))
	check(err)
	z, err := gzip.NewReader(f)
	check(err)
	return z
}

// table reads a CSV file without its header.
func table(dir, name string) [][]string {
	rows, err := csv.NewReader(open(dir, name)).ReadAll()
	check(err)
	return rows[1:]
}

func categories(out io.Writer, rows [][]string) {
	fmt.Fprintln(out, "[categories]")
	for _, r := range rows {
		fmt.Fprintf(out, "%s %s\n", r[0], strings.TrimSpace(r[1]))
	}
}

func titles(out io.Writer) {
	f, err := os.Open("ccs_titles.txt")
	check(err)
	fmt.Fprintln(out, "[ccs]")
	for s := bufio.NewScanner(f); s.Scan(); {
		if !strings.HasPrefix(s.Text(), "#") {
			fmt.Fprintln(out, s.Text())
		}
	}
}

// known lists every code of the hierarchy and of the billable list.
func known(dir string) map[string]bool {
	set := map[string]bool{}
	for _, name := range []string{"icd9cm_hierarchy.csv.gz", "icd9cm_v32_billable.csv.gz"} {
		for _, r := range table(dir, name) {
			set[r[0]] = true
		}
	}
	return set
}

// ccs reads the table whose first two fields stand between apostrophes.
func ccs(dir string) map[string]string {
	groups := map[string]string{}
	s := bufio.NewScanner(open(dir, "ccs_single_level_dxref_2015.csv.gz"))
	for s.Scan() {
		parts := strings.Split(s.Text(), "'")
		if len(parts) < 5 || strings.HasPrefix(parts[1], "ICD") {
			continue
		}
		if code := strings.TrimSpace(parts[1]); code != "" {
			groups[code] = strings.TrimSpace(parts[3])
		}
	}
	check(s.Err())
	return groups
}

// codeList writes every code, sorted and front-coded: the length of what it
// shares with the code before, the rest, and its group where that changes
// ("-" for none).
func codeList(out io.Writer, known map[string]bool, groups map[string]string) {
	for code := range groups {
		known[code] = true
	}
	codes := make([]string, 0, len(known))
	for code := range known {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	fmt.Fprintln(out, "[codes]")
	before, group := "", ""
	for _, code := range codes {
		shared := 0
		for shared < min(len(code), len(before)) && code[shared] == before[shared] {
			shared++
		}
		g := groups[code]
		if g == "" {
			g = "-"
		}
		fmt.Fprintf(out, "%d%s", shared, code[shared:])
		if g != group {
			fmt.Fprintf(out, " %s", g)
		}
		fmt.Fprintln(out)
		before, group = code, g
	}
}

func write(name string, text []byte) {
	f, err := os.Create(name)
	check(err)
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	check(err)
	_, err = z.Write(text)
	check(err)
	check(z.Close())
	check(f.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
