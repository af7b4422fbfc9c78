package family

import (
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/record"
)

// Info is all that the rest of the house may know of a family: how it is called
// and spoken of, which records choose it, what it takes, and what trees, EM and
// the command line have to heed. Nobody compares its name.
type Info struct {
	Name  string // on the command line and in files: "poisson"
	Words string // a clause for people: "groups in which every feature has its own average count"
	Group string // what people call a component: "group", "topic" or "state"
	Paper string // where the model is described: "[T] ch. 1"
	// Example is what a fit of the model may look like, without the model's name and
	// the run: "patients.csv -k 3". The files are those of "moiety help methods".
	Example string
	// Unit says what the center of a feature is. It answers for every feature,
	// also where the family has been made for no data.
	Unit func(feature int) Unit

	// For lists the kinds of records that take the model where none is named:
	// the first family of the table wins that also takes what the records have.
	For []record.Kind
	// System is the system of codes that these records must be of; "" is any.
	System string
	// Soft says that a record has a share in every group.
	Soft bool
	// Sequences says that records are sequences: a row belongs to a component, not
	// a record.
	Sequences bool
	// Symbols says that a row has one feature at most.
	Symbols bool
	// Missing says that values may be missing: the others of the record still count.
	Missing bool
	// Plain says that weights and centers are all the parameters.
	Plain bool
	// Views says that the features come in several views, which the user names.
	Views bool
	// SameMoments says that the moments are alike for every number of groups, so
	// that they are summed up once for several.
	SameMoments bool
	// OwnTensor says the opposite of the third moment: it depends on a number that
	// is estimated anew for each size and sample, so that two cannot be compared.
	OwnTensor bool

	// Joins says that a flat fit of records at several places is that of all of
	// them in one: the battery of joined runs shows it (fit TestJoined). A family
	// that does not say so is refused there.
	Joins bool

	EM       EMHints
	Tree     TreeHints
	Extra    map[string]Role // what the extra matrices of the parameters mean, where others may have to know
	Settings []Setting
}

// Unit says what a center tells of a feature.
type Unit int

// Units. The zero value is none.
const (
	Share     Unit = iota + 1 // of the records of the group, those that have the feature
	Average                   // count of the feature in a record
	Value                     // average of a measurement
	WordShare                 // of the words of the group
)

// EMHints say how a family's steps of EM are best used. The zero value is the
// usual: as many as it takes, candidates compared by trial steps.
type EMHints struct {
	// Costly says that a step costs much more than the moments and gains most in
	// the first few: Iterations are worth it at the most, and after a relative
	// gain of Tol no more than one is; candidates are not compared by trial steps.
	Costly     bool
	Iterations int
	Tol        float64
	// Patience says, of a costly family, how many times as many steps are worth it, and
	// how many times as small a gain, under parameters at hand; nil means once.
	Patience func(mixture.Params) float64
	// Quick says that EStep gives up digits for speed where it may.
	Quick bool
	// OverRelax draws out the way from old to next, the M-step's answer, so that a
	// step is worth more than one; nil where none does. refine goes back to next
	// where the objective fell.
	OverRelax func(old, next mixture.Params) mixture.Params
}

// TreeHints say how a tree over records of the family grows.
type TreeHints struct {
	Splitter string // of tree.Splitters; "" is the usual one
	Steps    int    // of EM after a split; 0 means 1
	Refine   int    // steps of EM over all leaves at the end; 0: until it has converged
	// SplitAs names the model by which records are split instead; the leaves then
	// become the groups of this one. "" is this one itself.
	SplitAs string
	// Binary says that the model of rows without values is independent presences,
	// for which trees have a quicker way.
	Binary bool
}

// Role is the meaning of an extra matrix of parameters.
type Role int

// Roles.
const (
	Transitions   Role = iota + 1 // k×k: row j holds the chances of what follows component j
	Starts                        // 1×k: chances of the first component of a sequence
	Concentration                 // k×1: Dirichlet parameters of the groups
	Trials                        // 1×1: a whole number, the most that a count can be
	CountWeight                   // d×1: what a count of a feature weighs; only where counts scatter more than chance
)

// Setting is one setting of a family.
type Setting struct {
	Name   string   // "weights"; on the command line --weights
	Help   string   // whole, as the help of a command shows it
	Values []string // allowed words, the usual one first; nil where it is a number
}

// Values are settings by name, as words.
type Values map[string]string

// In returns what the extra matrix of that meaning is called, "" where there is
// none.
func (i Info) In(role Role) string {
	for name, r := range i.Extra {
		if r == role {
			return name
		}
	}
	return ""
}

// Is reports that every center is of this unit, for families of one unit; views have
// one each.
func (i Info) Is(u Unit) bool { return !i.Views && i.Unit(0) == u }

// Only returns a Unit function of families whose centers are all alike.
func Only(u Unit) func(int) Unit { return func(int) Unit { return u } }

// Weights is the setting of the families of documents: how much each counts in
// the moments.
func Weights() Setting {
	return Setting{
		Name: "weights", Help: "documents: saturating (default), length, equal or three-words",
		Values: []string{string(moment.Saturating), string(moment.Length), string(moment.Equal), string(moment.ThreeWords)},
	}
}
