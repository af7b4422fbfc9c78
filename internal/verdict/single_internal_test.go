package verdict

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// A step in single precision is that in double precision to what tells EM that it has
// settled, whether some records are equal or none; too many equal ones are not spread out.
func TestSingle(t *testing.T) {
	if !kernel.QuickMixture() {
		t.Skip("no kernels for steps in single precision")
	}
	const cols = 90
	lay := presenceLayout(cols)
	r := stream.New(3, "single")
	for _, copies := range []int{0, 200, 5000} {
		rows := make([][]uint32, 1500)
		for i := range rows {
			for j := range cols {
				if r.Float64() < .1 {
					rows[i] = append(rows[i], uint32(j))
				}
			}
		}
		for i := range copies {
			rows = append(rows, rows[i%300])
		}
		s := newSample(rows, cols)
		for _, k := range []int{2, 3, 12, 40} {
			m := randomModel(r, lay, k, none, nil)
			one, two := &stats{alone: true}, &stats{}
			m.readyOn(1)
			if done := m.addSingle(s, one); done != (copies < 5000) {
				t.Fatalf("%d copies, %d groups: done in single precision: %v", copies, k, done)
			}
			if copies == 5000 {
				continue
			}
			m.estep(s, two)
			if off := math.Abs(one.loglik - two.loglik); !(off <= enough/10) {
				t.Errorf("%d copies, %d groups: log-likelihood %v, in double precision %v", copies, k, one.loglik, two.loglik)
			}
			for i, v := range two.s {
				if numtest.Off(one.s[i], v, 1e-4*(1+v)) {
					t.Fatalf("%d copies, %d groups: sum %d is %v, in double precision %v", copies, k, i, one.s[i], v)
				}
			}
			for i, v := range two.n {
				if numtest.Off(one.n[i], v, 1e-4*(1+v)) {
					t.Fatalf("%d copies, %d groups: group %d holds %v, in double precision %v", copies, k, i, one.n[i], v)
				}
			}
		}
	}
}
