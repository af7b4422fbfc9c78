package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/suggest"
)

// ErrNoData says that an argument names something, but no data that could be
// read here.
var ErrNoData = errors.New("no data")

// noData is a sentence of its own that counts as one of the errors of inputs.
type noData struct {
	text string
	is   error
}

func (e noData) Error() string { return e.text }
func (e noData) Unwrap() error { return e.is }

func notData(is error, format string, args ...any) error {
	return noData{fmt.Sprintf(format, args...), is}
}

// scheme is what an address begins with.
var scheme = pattern.New(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// addressed says what an argument is that is a place in the net, in a store or in a
// database, with the command that makes a file of it; "" of all other arguments.
func addressed(arg string) string {
	m := scheme.FindStringSubmatch(arg)
	if m == nil {
		return ""
	}
	switch strings.ToLower(m[1]) {
	case "http", "https", "ftp":
		return "a web address: download the file first, then give its name"
	case "file":
		return "the address of a file: give its path"
	case "postgres", "postgresql":
		return `a database, of which only tables of OMOP are read ("moiety fit omop:"); export the table: psql ADDRESS -c "\copy (select * from TABLE) to 'table.csv' csv header"`
	case "mysql", "mariadb":
		return `a database; export the table: mysql --batch DATABASE -e "select * from TABLE" > table.tsv`
	case "s3", "s3a", "s3n":
		return "a place in a store; fetch it: aws s3 cp --recursive ADDRESS data"
	case "gs":
		return "a place in a store; fetch it: gcloud storage cp --recursive ADDRESS data"
	case "abfs", "abfss", "wasb", "wasbs", "az", "adl":
		return "a place in a store; fetch it: azcopy copy --recursive https://ACCOUNT.dfs.core.windows.net/CONTAINER/PATH data"
	case "dbfs":
		return "a place in Databricks; fetch it: databricks fs cp --recursive ADDRESS data"
	case "hdfs":
		return "a place in a cluster; fetch it: hdfs dfs -get ADDRESS data"
	case "jdbc":
		return elsewhere
	}
	if strings.HasPrefix(arg[len(m[0]):], "//") {
		return elsewhere
	}
	return ""
}

const elsewhere = "the address of something that is not read; export it as CSV or Parquet, then give the name of that file"

func isAddress(arg string) bool { return addressed(arg) != "" }

// secret is the password in an address.
var secret = pattern.New(`://([^:/@]*):[^/]*@`)

// absent says why an argument cannot be opened.
func absent(arg string, err error) error {
	switch {
	case isAddress(arg):
		return notData(ErrNoData, "%s is %s", secret.ReplaceAllString(arg, "://$1:…@"), addressed(arg))
	case errors.Is(err, syscall.ELOOP):
		return notData(ErrNoData, "%s is a link that leads back to itself: give the file that is meant", arg)
	case errors.Is(err, fs.ErrNotExist):
		return notData(err, "there is no file %s%s", arg, near(arg))
	}
	return fmt.Errorf("cannot open %s: %w", arg, err)
}

// near suggests a file of the same folder.
func near(arg string) string {
	dir, base := filepath.Split(arg)
	list, err := os.ReadDir(filepath.Clean(dir + "."))
	if err != nil {
		if dir != "" {
			return fmt.Sprintf(", and no folder %s", filepath.Clean(dir))
		}
		return ""
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if best := suggest.Word(base, names); best != "" {
		return fmt.Sprintf(" (did you mean %s?)", filepath.Join(dir, best))
	}
	return ""
}

// runMark is in the manifest of every run folder.
var runMark = []byte(`"moiety run"`)

// isRun reports whether a folder is what "moiety fit -o" wrote.
func isRun(folder string) bool {
	f, err := os.Open(filepath.Join(folder, "manifest.json"))
	if err != nil {
		return false
	}
	defer f.Close()
	const enough = 4 << 10
	head, err := readUpTo(f, enough)
	return err == nil && bytes.Contains(head, runMark)
}
