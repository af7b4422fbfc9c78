package tree

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/vocab"
)

// Settings say how a tree grows. The zero value of every field but Family
// works.
type Settings struct {
	Spec   model.Spec    // written into the tree
	Family family.Family // the model of the records; it also judges splits without a model
	Vocab  *vocab.Vocab

	// Splitter names how a node is split: "auto" (also ""), "sidiwo" ([H]
	// Alg. 2), "d-sidiwo" ([T] Alg. 5), "skew".
	Splitter string
	// AllSlices makes "sidiwo" and "d-sidiwo" see the slices of M3 as they are; see
	// decompose.Options.
	AllSlices bool
	// Steps of two-component EM after a split: 0 chooses, negative none.
	Steps int
	// NoRefine leaves out the EM over all leaves at the end.
	NoRefine bool

	Leaves    int     // grow to that many leaves, best first; 0: until the evidence ends
	Levels    int     // grow to that many split levels; 0: no such rule
	MaxLeaves int     // of a tree that stops by itself; 0 means 16
	Cautious  bool    // BIC instead of the AIC-type penalty
	MinSize   int     // least number of records of a node that may be split; 0 means 10
	Pseudo    float64 // weight of EM's prior; 0 means 1, negative none

	// Cut says that the last of the known groups of Joined were cut from others,
	// one after the other: for each, the number of the group that it is a part of.
	Cut []int
	// Outline says that the tree of Joined will be cut further: its nodes have no means,
	// and its splits no evidence.
	Outline bool
	// Known is where all records lie among the groups of Joined; nil where they are to be placed.
	Known *Known

	Seed    uint64
	Workers int
}

// Known says where records lie that were placed before.
type Known struct {
	Group  []int32   // of every own record
	Sure   []float32 // and how sure it is
	Number []int     // of every group there: among those of Joined
}

// Splitters.
const (
	Auto    = "auto"
	Sidiwo  = "sidiwo"
	DSidiwo = "d-sidiwo"
	Skew    = "skew"
)

// Splitters lists their names.
func Splitters() []string { return []string{Auto, Sidiwo, DSidiwo, Skew} }

const (
	defaultMaxLeaves = 16
	defaultMinSize   = 10
)

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if s.Family == nil {
		return fmt.Errorf("tree: Settings.Family is nil, want the model of the records")
	}
	if s.Splitter != "" && !slices.Contains(Splitters(), s.Splitter) {
		return fmt.Errorf("tree: unknown splitter %q, want one of %v", s.Splitter, Splitters())
	}
	if s.Leaves < 0 || s.Levels < 0 || s.MaxLeaves < 0 || s.MinSize < 0 {
		return fmt.Errorf("tree: negative size")
	}
	if s.Leaves > 0 && s.Levels > 0 {
		return fmt.Errorf("tree: give the number of leaves or of levels, not both")
	}
	if s.needsGroups() {
		if _, ok := s.Family.(family.Grouped); !ok && s.splitter() != DSidiwo {
			return fmt.Errorf("tree: the model %s cannot be split by %q, use sidiwo", s.Family.Info().Name, s.splitter())
		}
	}
	return nil
}

// splitter returns the splitter in force: the family's, or SIDIWO.
func (s *Settings) splitter() string {
	if s.Splitter != "" && s.Splitter != Auto {
		return s.Splitter
	}
	return cmp.Or(s.Family.Info().Tree.Splitter, Sidiwo)
}

func (s *Settings) needsGroups() bool { return s.splitter() == Skew || s.splitter() == DSidiwo }

// steps returns the number of EM steps after a split. Documents get one: more
// of them fit the noise of short documents (measured); measurements get twenty,
// presences as many as it takes.
func (s *Settings) steps() int {
	if s.Steps != 0 {
		return max(s.Steps, 0)
	}
	return cmp.Or(s.Family.Info().Tree.Steps, 1)
}

// leafSteps returns the number of EM steps over all leaves at the end, 0
// meaning until it has converged.
func (s *Settings) leafSteps() int { return s.Family.Info().Tree.Refine }

func (s *Settings) minSize() int {
	if s.MinSize == 0 {
		return defaultMinSize
	}
	return max(s.MinSize, 2)
}

// mostLeaves returns the limit on the leaves and whether it is only a cap on
// a tree that stops by itself.
func (s *Settings) mostLeaves() (int, bool) {
	switch {
	case s.Leaves > 0:
		return s.Leaves, false
	case s.Levels > 0:
		return 1 << min(s.Levels, 30), false
	case s.MaxLeaves > 0:
		return s.MaxLeaves, true
	default:
		return defaultMaxLeaves, true
	}
}

// byItself says that the evidence decides.
func (s *Settings) byItself() bool { return s.Leaves == 0 && s.Levels == 0 }
