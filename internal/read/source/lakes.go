package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lakes are tables of many files with a log that says which of their rows count:
// files in a folder beside the log hold deleted and replaced rows too.
var lakes = []struct {
	log   string // a pattern, in the folder of the table
	under string // the files are in this folder; "": anywhere
	what  string // with the folder of the table
}{
	{"_delta_log", "", `a Delta table, whose files hold deleted rows too; write those that count: duckdb -c "copy (from delta_scan('%s')) to 'table.parquet'"`},
	{"metadata/*.metadata.json", "data", `an Iceberg table, whose files hold deleted rows too; write those that count: duckdb -c "copy (from iceberg_scan('%s')) to 'table.parquet'"`},
	{".hoodie", "", `a Hudi table, whose files hold deleted rows too; write those that count with Spark: spark.read.format("hudi").load("%s").write.parquet("table")`},
}

// noLakes refuses files of such tables, however they are named: by the folder, by a
// pattern or one by one.
func noLakes(inputs []Input) error {
	seen := make(map[string]bool)
	for _, in := range inputs {
		folder := filepath.Dir(in.path)
		if in.path == "" || !strings.EqualFold(filepath.Ext(in.path), ".parquet") || seen[folder] {
			continue
		}
		seen[folder] = true
		if root, what := lakeOf(folder); root != "" {
			return notData(ErrUnfit, "%s is part of %s", in.path, fmt.Sprintf(what, root))
		}
	}
	return nil
}

// lakeOf looks for a log beside a folder's files and above, and returns the folder of
// the table and what it is.
func lakeOf(folder string) (root, what string) {
	whole, err := filepath.Abs(folder)
	if err != nil {
		return "", ""
	}
	for below := ""; ; {
		for _, l := range lakes {
			if l.under != "" && l.under != below {
				continue
			}
			if logs, err := filepath.Glob(filepath.Join(literal(whole), l.log)); err == nil && len(logs) > 0 {
				return short(whole), l.what
			}
		}
		above := filepath.Dir(whole)
		if above == whole {
			return "", ""
		}
		below, whole = filepath.Base(whole), above
	}
}

// literal returns a pattern that matches a path alone.
func literal(path string) string {
	if os.PathSeparator != '/' { // where a pattern has no escapes
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// short returns a path from here where that is shorter.
func short(path string) string {
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}
