//go:build ignore

// Command generate10 writes icd10cm.txt.gz from the public-domain tables of the
// US government: the tabular list of ICD-10-CM, fiscal year 2026 (CDC/NCHS and
// CMS; icd10c-tabular-April-1-2026.xml), and the single-level CCS table for
// ICD-10-CM 2019.1 (AHRQ HCUP; ccs_dx_icd10cm_2019_1.csv). Give it the folder
// that holds them:
//
//	go run generate10.go FOLDER
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

const head = `# ICD-10-CM, fiscal year 2026: categories and their titles, from the tabular
# list of CDC/NCHS and CMS; single-level CCS groups from AHRQ HCUP, 2019.1, by
# the shortest beginnings of codes that tell them. Works of the US government,
# public domain. Titles of CCS groups are those of ICD-9-CM.
`

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run generate10.go FOLDER")
	}
	var out bytes.Buffer
	out.WriteString(head)
	categories(&out, filepath.Join(os.Args[1], "icd10c-tabular-April-1-2026.xml"))
	groups(&out, filepath.Join(os.Args[1], "ccs_dx_icd10cm_2019_1.csv"))
	write("icd10cm.txt.gz", out.Bytes())
}

var (
	name = regexp.MustCompile(`<name>([A-Z][0-9][0-9A-Z])</name>`)
	desc = regexp.MustCompile(`<desc>(.*?)</desc>`)
)

// categories writes the codes of three characters with their titles.
func categories(out io.Writer, path string) {
	f, err := os.Open(path)
	check(err)
	defer f.Close()
	fmt.Fprintln(out, "[categories]")
	code := ""
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if m := name.FindStringSubmatch(s.Text()); m != nil {
			code = m[1]
		} else if m := desc.FindStringSubmatch(s.Text()); m != nil && code != "" {
			title := strings.NewReplacer("&amp;", "&", "&apos;", "'", "&lt;", "<", "&gt;", ">").Replace(m[1])
			fmt.Fprintf(out, "%s %s\n", code, strings.TrimSpace(title))
			code = ""
		}
	}
	check(s.Err())
}

// groups writes the shortest beginnings of codes, of three characters or more,
// under which all codes have one group.
func groups(out io.Writer, path string) {
	f, err := os.Open(path)
	check(err)
	defer f.Close()
	group := map[string]string{}
	under := map[string]map[string]bool{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		parts := strings.Split(s.Text(), "'")
		if len(parts) < 5 || strings.HasPrefix(parts[1], "ICD") {
			continue
		}
		code, g := strings.TrimSpace(parts[1]), strings.TrimSpace(parts[3])
		group[code] = g
		for n := 3; n <= len(code); n++ {
			if under[code[:n]] == nil {
				under[code[:n]] = map[string]bool{}
			}
			under[code[:n]][g] = true
		}
	}
	check(s.Err())
	chosen := map[string]string{}
	for code, g := range group {
		for n := 3; n <= len(code); n++ {
			if len(under[code[:n]]) == 1 {
				chosen[code[:n]] = g
				break
			}
		}
		if len(under[code]) > 1 {
			chosen[code] = g // a code of an older edition with others below
		}
	}
	keys := make([]string, 0, len(chosen))
	for k := range chosen {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	fmt.Fprintln(out, "[ccs]")
	for _, k := range keys {
		fmt.Fprintf(out, "%s %s\n", k, chosen[k])
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
