package sets

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/split"
)

// TestList sees that the list is whole: names are unique, every kind is known and every
// part has a share, and that what other methods make of a set is told of listed sets only.
func TestList(t *testing.T) {
	all, err := Read("sets.tsv")
	if err != nil {
		t.Fatal(err)
	}
	kinds := []law.Kind{law.Presences, law.Answers, law.Ordered, law.Counts, law.Genotypes, law.Measurements, law.Mixed, law.Texts, law.Sequences}
	parts, seen := map[split.Part]int{}, map[string]bool{}
	for _, s := range all {
		if seen[s.Name] || strings.ContainsAny(s.Name, `/\"'`) {
			t.Errorf("%q is there twice, or is no name of a folder", s.Name)
		}
		seen[s.Name] = true
		parts[s.Part]++
		if !strings.Contains(fmt.Sprint(kinds), string(s.Kind)) {
			t.Errorf("%s is of the kind %q", s.Name, s.Kind)
		}
		if len(s.SHA256) != 64 || s.Records < 10 {
			t.Errorf("%s: %d records with the hash %q", s.Name, s.Records, s.SHA256)
		}
	}
	for _, p := range split.Parts() {
		if parts[p] < 60/4 {
			t.Errorf("the part %s has %d sets", p, parts[p])
		}
	}
	if len(all) < 60 {
		t.Errorf("%d sets, want 60", len(all))
	}
	peers, err := ReadPeers("peers.csv")
	if err != nil {
		t.Fatal(err)
	}
	for name := range peers {
		if !seen[name] {
			t.Errorf("peers.csv tells of %q, which is not listed", name)
		}
	}
}

// TestParts holds the parts of a few sets: they must not move, or what was kept for the
// judge has been seen.
func TestParts(t *testing.T) {
	all, err := Read("sets.tsv")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]split.Part{}
	for _, s := range all {
		parts[s.Name] = s.Part
	}
	for name, want := range map[string]split.Part{
		"iris": split.Choose, "geyser": split.Choose, "beavers": split.Choose, "agency reports": split.Calibrate,
		"mushrooms": split.Calibrate, "hepatitis": split.Judge, "skulls of mice": split.Judge,
	} {
		if parts[name] != want {
			t.Errorf("%s is in the part %s, was in %s", name, parts[name], want)
		}
	}
}

func TestReadSaysTheLine(t *testing.T) {
	head := "name\tkind\tgroups\tseen\trecords\tsha256\n"
	for content, want := range map[string]string{
		"name\tkind\n":                       `no column "groups"`,
		head + "a\ttexts\t2\t\t\t\nb\ttexts": "line 3",
		head + "a\ttexts\tfew\t\t\t\n":       `"few" is no number of classes`,
		head + "a\ttexts\t2\t\tmany\tabc\n":  "line 2",
	} {
		path := filepath.Join(t.TempDir(), "sets.tsv")
		write(t, path, content)
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
}

// write writes a file.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLaw(t *testing.T) {
	for _, c := range []struct {
		kind                  law.Kind
		file, content, labels string
		want                  law.Data
	}{
		{law.Mixed, "data.csv", "a,b\n1,x\n,\"y, z\"\n", "class\nu\nv\n", law.Data{Columns: []string{"a", "b"}, Table: [][]string{{"1", "x"}, {"", "y, z"}}, Group: []int{0, 1}}},
		{law.Texts, "data.txt", "one two\nthree\n", "class\nu\nu\n", law.Data{Texts: []string{"one two", "three"}, Group: []int{0, 0}}},
		{law.Sequences, "data.csv", "id,value\n1,0.5\n1,2\n2,3\n", "class\nu\nv\nu\n", law.Data{Steps: [][]string{{"0.5", "2"}, {"3"}}, Group: []int{0, 1, 0}}},
		{law.Ordered, "data.csv", "a\n1\n2\n", "", law.Data{Columns: []string{"a"}, Table: [][]string{{"1"}, {"2"}}}},
	} {
		folder := t.TempDir()
		into := filepath.Join(folder, "two-words")
		if err := os.Mkdir(into, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(into, c.file), c.content)
		if c.labels != "" {
			write(t, filepath.Join(into, "labels.csv"), c.labels)
		}
		s := Set{Name: "two words", Kind: c.kind, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(c.content+c.labels)))}
		l, err := s.Law(folder)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Draw(nil, 0); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.kind, got, c.want)
		}
		s.SHA256 = strings.Repeat("0", 64)
		if _, err := s.Law(folder); err == nil {
			t.Errorf("%s: other content than was recorded is taken", c.kind)
		}
	}
}

func TestPeers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peers.csv")
	write(t, path, "set,method,told,groups,ari\na b,k-means,1,3,0.500\na b,HDBSCAN,0,1,\n")
	got, err := ReadPeers(path)
	if want := map[string][]Peer{"a b": {{"k-means", Told, 3, .5}, {"HDBSCAN", Alone, 1, 0}}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, row := range []string{"a,b,3,1,0.5", "a,b,0,x,0.5", "a,b,0,1,y"} {
		write(t, path, "set,method,told,groups,ari\n"+row+"\n")
		if _, err := ReadPeers(path); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", row, err)
		}
	}
}
