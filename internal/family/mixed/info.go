package mixed

import (
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Info implements family.Family.
func (f *Family) Info() family.Info {
	return family.Info{
		Name: "mixed", Group: "group", Paper: "[T] ch. 1", Example: "mixed.csv --format mixed -k 3",
		Joins:   true,
		Words:   "groups in which every column has its own distribution, by its kind",
		Unit:    f.unit,
		For:     []record.Kind{record.Mixed, record.Presence}, // presences of which some are unknown
		Missing: true,
	}
}

func (f *Family) unit(h int) family.Unit {
	if h >= len(f.kinds) {
		return family.Share
	}
	return [...]family.Unit{
		vocab.Presence: family.Share, vocab.Counts: family.Average, vocab.Real: family.Value, vocab.Categorical: family.Share,
	}[f.kinds[h]]
}
