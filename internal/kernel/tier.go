package kernel

import "os"

// tier is a set of instructions; higher ones are faster.
type tier int

const (
	plain tier = iota
	avx2
	avx512
)

var tierNames = [...]string{plain: "plain", avx2: "avx2", avx512: "avx512"}

// active is the tier at work. Only tests change it.
var active = chosen(os.Getenv("MOIETY_TIER"), available())

// chosen returns the named tier or, where the machine lacks it or there is no
// such name, the best there is.
func chosen(name string, best tier) tier {
	for t, n := range tierNames {
		if n == name {
			return min(tier(t), best)
		}
	}
	return best
}

// Tier returns the name of the tier at work: plain, avx2 or avx512.
func Tier() string { return tierNames[active] }
