package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is no data says so in a sentence, and counts as data that cannot be read.
func TestAbsent(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "patients.csv"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "RUN")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(run, "manifest.json"), []byte(`{"kind": "moiety run"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		filepath.Join(dir, "patient.csv"):            "did you mean " + filepath.Join(dir, "patients.csv"),
		filepath.Join(dir, "no", "x.csv"):            "and no folder",
		"https://example.org/patients.csv":           "is a web address: download",
		"postgresql://me:secret@host/db":             "postgresql://me:…@host/db is a database, of which only tables of OMOP are read (\"moiety fit omop:\"); export the table: psql ADDRESS",
		"mysql://host/db":                            "mysql --batch",
		"s3://bucket/x*.parquet":                     "aws s3 cp",
		"gs://bucket/x":                              "gcloud storage cp",
		"abfss://c@a.dfs.core.windows.net/x.parquet": "azcopy copy",
		"dbfs:/mnt/x.parquet":                        "databricks fs cp",
		"hdfs://host/x":                              "hdfs dfs -get",
		"jdbc:oracle:thin:@host":                     "export it as CSV or Parquet",
		"snowflake://account/db":                     "export it as CSV or Parquet",
		run:                                          "is a run folder, not data",
	}
	loop := filepath.Join(dir, "loop")
	if os.Symlink(loop, loop) == nil {
		cases[loop] = "leads back to itself"
	}
	for arg, says := range cases {
		_, err := Expand([]string{arg})
		if err == nil || !strings.Contains(err.Error(), says) || !Unreadable(err) || strings.Contains(err.Error(), "stat ") {
			t.Errorf("%s: %v", arg, err)
		}
	}
	if _, err := Expand([]string{filepath.Join(dir, "other")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// Files of a table that a log keeps hold rows that were deleted: they are refused,
// however they are named, with the command that writes the rows that count.
func TestLakes(t *testing.T) {
	dir := t.TempDir()
	put := func(parts ...string) string {
		path := filepath.Join(append([]string{dir}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("PAR1"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	flat := put("delta", "part-0.parquet")
	put("delta", "_delta_log", "00000000000000000000.json")
	deep := put("parts [1]", "year=2020", "month=1", "part-0.parquet")
	put("parts [1]", "_delta_log", "00000000000000000000.json")
	ice := put("ice", "data", "day=1", "a.parquet")
	put("ice", "metadata", "v1.metadata.json")
	hudi := put("hudi", "a.parquet")
	put("hudi", ".hoodie", "hoodie.properties")
	for arg, says := range map[string]string{
		filepath.Join(dir, "delta"):              "delta_scan('",
		filepath.Join(dir, "delta", "*.parquet"): "is part of a Delta table, whose files hold deleted rows too",
		flat:                                     "copy (from delta_scan('" + filepath.Join(dir, "delta") + "')) to 'table.parquet'",
		deep:                                     "delta_scan('" + filepath.Join(dir, "parts [1]") + "')",
		ice:                                      "iceberg_scan('" + filepath.Join(dir, "ice") + "')",
		hudi:                                     "a Hudi table",
	} {
		_, err := Expand([]string{arg})
		if err == nil || !strings.Contains(err.Error(), says) || !Unreadable(err) {
			t.Errorf("%s: %v does not say %q", arg, err, says)
		}
	}
	for _, arg := range []string{put("year=2020", "part.parquet"), put("delta", "export.csv"), put("ice", "other", "b.parquet")} {
		if _, err := Expand([]string{arg}); err != nil {
			t.Errorf("%s: %v", arg, err)
		}
	}
}
