package kernel

import "os"

// tier is a set of instructions.
type tier int

const (
	plain tier = iota
	avx2
	avx512
	neon
)

var tierNames = [...]string{plain: "plain", avx2: "avx2", avx512: "avx512", neon: "neon"}

// active is the tier at work. Only tests change it.
var active = chosen(os.Getenv("MOIETY_TIER"), available())

// upTo returns the tiers of a machine whose best one is given, faster ones
// later.
func upTo(best tier) []tier {
	if best == neon {
		return []tier{plain, neon}
	}
	return []tier{plain, avx2, avx512}[:best+1]
}

// chosen returns the named tier or, where the machine lacks it or there is no
// such name, the best there is.
func chosen(name string, best tier) tier {
	for _, t := range upTo(best) {
		if tierNames[t] == name {
			return t
		}
	}
	return best
}

// Tier returns the name of the tier at work: plain, avx2, avx512 or neon.
func Tier() string { return tierNames[active] }
