package multiview

import (
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Witnesses implements family.Witnessed: the names of the views.
func (f *Family) Witnesses() []string {
	out := make([]string, len(f.views))
	for i, v := range f.views {
		out[i] = v.Name
	}
	return out
}

// Testify implements family.Witnessed: what each view alone says of the records.
func (f *Family) Testify(p mixture.Params, b pass.Block) (scores [][]float64, has [][]bool, err error) {
	e, err := f.joint(p)
	if err != nil {
		return nil, nil, err
	}
	if err := f.fits(b); err != nil {
		return nil, nil, err
	}
	k, n := p.K(), b.Rows.N()
	for v := range f.views {
		s, err := e.scores(v, b)
		if err != nil {
			return nil, nil, f.inView(v, err)
		}
		all, here := make([]float64, n*k), make([]bool, n)
		for r := range s.rows.N() {
			copy(all[s.place(r)*k:][:k], s.out[r*k:][:k])
			here[s.place(r)] = true
		}
		scores, has = append(scores, all), append(has, here)
	}
	return scores, has, nil
}
