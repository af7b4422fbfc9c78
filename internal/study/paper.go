package study

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/run"
)

// Paper is what all sites of a study agree on. The coordinator writes it; it holds
// nothing of any record.
type Paper struct {
	Moiety   string          `json:"moiety"` // "study"
	Version  int             `json:"version"`
	Number   string          `json:"number"` // random; it names the study in every file
	Name     string          `json:"name"`
	Sites    int             `json:"sites"`
	Mode     string          `json:"mode"` // exchange.Secure or exchange.Open
	Settings json.RawMessage `json:"settings"`
}

const (
	paperKind    = "study"
	paperVersion = 1

	paperFile = "study.json"
	totals    = "totals"
	inFolder  = "in"
	tokenFile = "token"
	stopFile  = "stopped"
)

// NewPaper returns the paper of a new study.
func NewPaper(name string, sites int, open bool, settings json.RawMessage) (*Paper, error) {
	if err := enough(sites); err != nil {
		return nil, err
	}
	number, err := random()
	if err != nil {
		return nil, err
	}
	p := &Paper{Moiety: paperKind, Version: paperVersion, Number: number, Name: name, Sites: sites, Mode: exchange.Secure, Settings: settings}
	if open {
		p.Mode = exchange.Open
	}
	return p, nil
}

// enough refuses studies of too few sites.
func enough(sites int) error {
	if sites < run.FewestSites {
		return fmt.Errorf("study: %d sites: a study joins %d or more, for of two each has the sums of the other", sites, run.FewestSites)
	}
	return nil
}

// random returns a word that nobody can guess.
func random() (string, error) {
	b := make([]byte, 16)
	_, err := rand.Read(b)
	return hex.EncodeToString(b), err
}

// ReadPaper reads the text of a paper.
func ReadPaper(text []byte) (*Paper, error) {
	p := &Paper{}
	if err := json.Unmarshal(text, p); err != nil || p.Moiety != paperKind || p.Number == "" || p.Sites < 1 {
		return nil, errors.New("not the paper of a study: name a folder that \"moiety study new\" wrote")
	}
	if err := enough(p.Sites); err != nil { // begun by an earlier program
		return nil, err
	}
	var compact bytes.Buffer // settings are compared as they travel in files
	if err := json.Compact(&compact, p.Settings); err != nil {
		return nil, err
	}
	p.Settings = compact.Bytes()
	if p.Version > paperVersion {
		return nil, fmt.Errorf("the study was begun by a newer program (version %d of its paper): update this one", p.Version)
	}
	return p, nil
}

// Open reports whether sums are sent openly.
func (p *Paper) Open() bool { return p.Mode == exchange.Open }

// ErrNone says that a folder holds no study.
var ErrNone = errors.New("holds no study")

// Folder is the folder of a study: the coordinator's, or a copy of it at a site.
type Folder struct {
	Dir      string
	known    *exchange.File
	head     *exchange.File     // the list of sites, where the totals are not known
	arrivals map[string]arrival // by site
}

// New begins a study in a new folder.
func New(dir string, p *Paper) (*Folder, error) {
	err := durable.WriteFolder(durable.OS{}, dir, 0o755, func(temp string) error { return (&Folder{Dir: temp}).fill(p) })
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is there already: name a new folder for the study", dir)
	}
	if err != nil {
		return nil, outfile.Explain(dir, err)
	}
	return &Folder{Dir: dir}, nil
}

// fill writes what is in the folder of a new study.
func (f *Folder) fill(p *Paper) error {
	for _, name := range []string{inFolder, totals} {
		if err := os.Mkdir(f.path(name), 0o755); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	if err := f.write(paperFile, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return f.write("study.txt", []byte(p.text()), 0o644)
}

// text says in plain words what the study is.
func (p *Paper) text() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("The study %q, of %d sites, number %s", p.Name, p.Sites, p.Number)
	say("")
	say("No record leaves its site. In rounds every site adds up its own records, and the sums of all sites are added up.")
	if p.Open() {
		say("Open sum: whoever gets a file of a site can read its sums. Of health data, cells of few people are left out")
		say("before sending; what that costs is measured at the end. Each site says that it agrees, with --open.")
	} else {
		say("Secure sum: to the sums of a site random numbers are added that the other sites take away from theirs, so that its")
		say("file alone shows nothing of them. The total of all sites is read by all who take part and by the coordinator.")
	}
	e := p.epsilon()
	if e > 0 {
		say("Differential privacy: noise is laid over every sum before it leaves a site, so that no one person can be told from")
		say("what is learned (ε = %v). How many records a site has is not told. The names of features are taken to be public.", e)
	}
	say("")
	say("What is not promised:")
	if !p.Open() {
		say("- The random numbers are made with public keys that the coordinator hands out, and nobody checks whose they are. A")
		say("  coordinator who puts keys of his own in their place reads the sums of each site. Take part where you trust him.")
	}
	if !p.Open() && e > 0 {
		say("  Where sites add one noise together, he reads them with the part of the noise that the site added.")
	}
	say("- Over the network all sites have one token: whoever has it can send in the name of another, and stop the study.")
	if e == 0 {
		say("- Totals are exact: counts of few people stand in them, for all who take part. Whoever solves equations over very")
		say("  many rounds may learn of one person. Only differential privacy rules that out.")
	}
	say("")
	say("The settings: %s", p.Settings)
	return b.String()
}

// epsilon returns that of a private study, 0 for others.
func (p *Paper) epsilon() float64 {
	var s struct {
		Fit struct {
			Privacy struct{ Epsilon float64 }
		}
	}
	if err := json.Unmarshal(p.Settings, &s); err != nil {
		return 0
	}
	return s.Fit.Privacy.Epsilon
}

// Sums returns the folder of the totals.
func (f *Folder) Sums() string { return f.path(totals) }

func (f *Folder) path(name string) string { return filepath.Join(f.Dir, name) }

func (f *Folder) write(name string, data []byte, mode fs.FileMode) error {
	return durable.WriteFile(durable.OS{}, f.path(name), data, mode)
}

// Paper reads the paper of the folder; ErrNone where it holds no study.
func (f *Folder) Paper() (*Paper, error) {
	text, err := os.ReadFile(f.path(paperFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %w", f.Dir, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	p, err := ReadPaper(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path(paperFile), err)
	}
	return p, nil
}

func isSiteName(name string) bool {
	n := 0
	for _, r := range name {
		known := unicode.IsLetter(r) || unicode.IsNumber(r)
		if n++; n > 40 || !known && (n == 1 || !strings.ContainsRune(" ._-", r)) {
			return false
		}
	}
	return n > 0
}

// CheckName refuses a name of a site that cannot be that of a file everywhere.
func CheckName(name string) error {
	if !isSiteName(name) || strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") {
		return fmt.Errorf("study: %q is no name for a site: write up to 40 letters, digits, spaces, - and _", name)
	}
	return nil
}
