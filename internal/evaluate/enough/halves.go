package enough

import (
	"context"

	"github.com/moiety-go/moiety/pass"
)

// halves returns the two halves of a runner's records: of every two neighbours
// one, chosen by a hash of their number, so that no order of the records can
// tell the halves apart.
func halves(ctx context.Context, run pass.Runner) (out [2]pass.Runner, err error) {
	first := run.Can().First
	for side := range out {
		if out[side], err = pass.Filter(ctx, run, func(own int) bool { return sideOf(first+own) == side }); err != nil {
			return out, err
		}
	}
	return out, nil
}

// sideOf returns the half of record i: a bit of the finaliser of SplitMix64 for
// the pair, turned for its second record.
func sideOf(i int) int {
	z := (uint64(i/2) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z^z>>31)>>63) ^ i&1
}
