package machines

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// shapeLaws are the laws of measurements from images and signals that lie on curves,
// sheets and boxes, or that differ in correlation or scatter alone.
func shapeLaws() []law.Law {
	return []law.Law{
		{
			Name: "rolled sheet", Kind: law.Measurements, Groups: 1, Draw: rolledSheet,
			About: "Swiss roll: points spread evenly over one rolled sheet in three dimensions (Tenenbaum, de Silva and Langford 2000).",
		},
		{
			Name: "sites on a square wafer", Kind: law.Measurements, Groups: 1, Draw: waferSites,
			About: "Sites spread evenly over a square field; thickness and stress follow smooth surfaces over it (wafer maps: Bao, Wu and Zou 2014).",
		},
		{
			Name: "orbit of a shaft", Kind: law.Measurements, Groups: 1, Draw: shaftOrbit,
			About: "Four proximity probes see one orbit of one and two times the speed at a random phase: a ring with nothing inside (Muszynska 2005).",
		},
		{
			Name: "one winding filament", Kind: law.Measurements, Groups: 1, Draw: filament,
			About: "Points along one smooth random curve with a little noise across it (principal curves: Hastie and Stuetzle 1989).",
		},
		{
			Name: "ring around a core", Kind: law.Measurements, Groups: 2, Draw: ringAndCore,
			About: "A core and a ring around it with an empty gap between, seen in two or three coordinates (ring of particles in a detector; Ng, Jordan and Weiss 2002). Clear but not convex.",
		},
		{
			Name: "two moons", Kind: law.Measurements, Groups: 2, Draw: twoMoons,
			About: "Two interlocked half circles of branching flow states, with the gap wider than the noise (Zhou et al. 2004). Clear but not convex.",
		},
		{
			Name: "three arms of a spiral", Kind: law.Measurements, Groups: 3, Draw: spiralArms,
			About: "Three logarithmic arms wound around one centre, as of a galaxy (Binney and Tremaine 2008; spiral test of Chang and Yeung 2008). Clear but not convex.",
		},
		{
			Name: "phase or antiphase", Kind: law.Measurements, Groups: 2, Draw: phaseOrAntiphase,
			About: "Pairs of probes move in phase in one kind of machine and in antiphase in the other; every column alone is the same (groups by covariance: Celeux and Govaert 1995). Clear.",
		},
		{
			Name: "three scatters around one centre", Kind: law.Measurements, Groups: 3, Draw: threeScatters,
			About: "Same means, scatter that grows threefold from group to group: a scale mixture with few values (Tukey 1960; Banfield and Raftery 1993). Clear.",
		},
		{
			Name: "machines within plants", Kind: law.Measurements, Groups: 6, Draw: machinesWithinPlants,
			About: "Nested groups: three plants far apart, two machines in each closer together, common scatter (hierarchical random effects; Fraley and Raftery 2002). Clear.",
		},
	}
}

// rolledSheet draws points of a Swiss roll.
func rolledSheet(r *rand.Rand, n int) law.Data {
	turns := uniform(r, 1.2, 1.7)
	height := uniform(r, 10, 25)
	noise := uniform(r, 0.05, 0.4)
	table := rows(n, func(int) []string {
		// The square root makes the points even along the spiral.
		t := 2 * math.Pi * math.Sqrt(uniform(r, 0.5, turns*turns))
		return []string{
			fixed(t*math.Cos(t)+normal(r, 0, noise), 3),
			fixed(uniform(r, 0, height)+normal(r, 0, noise), 3),
			fixed(t*math.Sin(t)+normal(r, 0, noise), 3),
		}
	})
	return law.Data{Columns: []string{"x_mm", "y_mm", "z_mm"}, Table: table}
}

// waferSites draws sites of a square field with smooth surfaces over it.
func waferSites(r *rand.Rand, n int) law.Data {
	half := uniform(r, 40, 90)
	a := normals(r, 4, 0, 3)
	b := normals(r, 4, 0, 5)
	surface := func(c []float64, x, y float64) float64 {
		return c[0]*x + c[1]*y + c[2]*x*y + c[3]*(x*x+y*y)
	}
	step := []float64{0.5, 1, 2}[r.IntN(3)]
	table := rows(n, func(int) []string {
		x, y := uniform(r, -1, 1), uniform(r, -1, 1)
		return []string{
			fixed(math.Round(half*x/step)*step, 1),
			fixed(math.Round(half*y/step)*step, 1),
			fixed(512+surface(a, x, y)+normal(r, 0, 1.2), 1),
			fixed(-140+surface(b, x, y)+normal(r, 0, 2), 1),
		}
	})
	return law.Data{Columns: []string{"site_x", "site_y", "thickness_nm", "stress_mpa"}, Table: table}
}

// shaftOrbit draws the readings of two pairs of probes at random moments.
func shaftOrbit(r *rand.Rand, n int) law.Data {
	first := uniforms(r, 4, 20, 45)
	second := uniforms(r, 4, 2, 9)
	phase := []float64{0, math.Pi / 2, uniform(r, 0.3, 1.2), uniform(r, 1.8, 2.6)}
	twice := uniforms(r, 4, 0, 2*math.Pi)
	noise := uniform(r, 0.8, 2.5)
	table := rows(n, func(int) []string {
		turn := uniform(r, 0, 2*math.Pi)
		row := make([]string, 4)
		for j := range row {
			x := first[j]*math.Cos(turn-phase[j]) + second[j]*math.Cos(2*turn-twice[j])
			row[j] = fixed(x+normal(r, 0, noise), 1)
		}
		return row
	})
	return law.Data{Columns: []string{"de_x_um", "de_y_um", "nde_x_um", "nde_y_um"}, Table: table}
}

// filament draws points along one random curve in three to five dimensions.
func filament(r *rand.Rand, n int) law.Data {
	k := between(r, 3, 5)
	load := make([][]float64, k)
	for j := range load {
		load[j] = normals(r, 6, 0, 1)
	}
	noise := uniform(r, 0.05, 0.15)
	table := rows(n, func(int) []string {
		t := math.Pi * r.Float64()
		x := make([]float64, k)
		for j := range x {
			for f := range 3 {
				w := float64(f + 1)
				x[j] += (load[j][2*f]*math.Cos(w*t) + load[j][2*f+1]*math.Sin(w*t)) / w
			}
			x[j] = 10 * (x[j] + normal(r, 0, noise))
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: numbered("pc", 1, k, false), Table: table}
}

// ringAndCore draws a core and a ring.
func ringAndCore(r *rand.Rand, n int) law.Data {
	radius := uniform(r, 5, 8)
	thick := uniform(r, 0.25, 0.5)
	core := uniform(r, 0.8, 1.2)
	high := coin(r, 0.5)
	group := assign(r, n, uneven(r, 2))
	table := rows(n, func(i int) []string {
		x, y := normal(r, 0, core), normal(r, 0, core)
		if group[i] == 1 {
			turn := uniform(r, 0, 2*math.Pi)
			far := radius + normal(r, 0, thick)
			x, y = far*math.Cos(turn), far*math.Sin(turn)
		}
		row := fixedRow([]float64{x, y}, 3)
		if high {
			row = append(row, fixed(normal(r, 0, 1), 3))
		}
		return row
	})
	columns := []string{"hit_x", "hit_y", "hit_t"}
	return law.Data{Columns: columns[:len(table[0])], Table: table, Group: group}
}

// twoMoons draws two interlocked half circles as a pressure and a flow.
func twoMoons(r *rand.Rand, n int) law.Data {
	noise := uniform(r, 0.05, 0.1)
	scale, base := uniform(r, 8, 20), uniform(r, 80, 120)
	group := assign(r, n, uneven(r, 2))
	table := rows(n, func(i int) []string {
		turn := uniform(r, 0, math.Pi)
		x, y := math.Cos(turn), math.Sin(turn)
		if group[i] == 1 {
			x, y = 1-x, 0.5-y
		}
		x, y = x+normal(r, 0, noise), y+normal(r, 0, noise)
		return []string{fixed(base+scale*x, 2), fixed(5+y, 3)}
	})
	return law.Data{Columns: []string{"pressure_kpa", "flow_lpm"}, Table: table, Group: group}
}

// spiralArms draws points of three arms.
func spiralArms(r *rand.Rand, n int) law.Data {
	pitch := uniform(r, 0.3, 0.4)
	turns := uniform(r, 0.75, 1)
	noise := uniform(r, 0.04, 0.07)
	group := assign(r, n, uneven(r, 3))
	table := rows(n, func(i int) []string {
		t := uniform(r, 0.1, turns) * 2 * math.Pi
		far := math.Exp(pitch * t)
		turn := t + 2*math.Pi*float64(group[i])/3
		far *= 1 + normal(r, 0, noise)
		return []string{fixed(far*math.Cos(turn), 3), fixed(far*math.Sin(turn), 3), fixed(normal(r, 0, 0.3), 3)}
	})
	return law.Data{Columns: []string{"ra_kpc", "dec_kpc", "height_kpc"}, Table: table, Group: group}
}

// phaseOrAntiphase draws pairs of probes whose sign of correlation is the group.
func phaseOrAntiphase(r *rand.Rand, n int) law.Data {
	pairs := between(r, 5, 7)
	tie := uniforms(r, pairs, 0.78, 0.9)
	level := uniforms(r, 2*pairs, -3, 3)
	sd := uniforms(r, 2*pairs, 0.8, 3)
	group := assign(r, n, uneven(r, 2))
	table := rows(n, func(i int) []string {
		x := make([]float64, 2*pairs)
		for p := range pairs {
			rho := tie[p]
			if group[i] == 1 {
				rho = -rho
			}
			a := r.NormFloat64()
			b := rho*a + math.Sqrt(1-rho*rho)*r.NormFloat64()
			x[2*p], x[2*p+1] = level[2*p]+sd[2*p]*a, level[2*p+1]+sd[2*p+1]*b
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: numbered("probe_", 1, 2*pairs, true), Table: table, Group: group}
}

// threeScatters draws groups that differ in scatter.
func threeScatters(r *rand.Rand, n int) law.Data {
	k := between(r, 10, 12)
	ratio := uniform(r, 2.7, 3.3)
	centre := uniforms(r, k, 20, 60)
	sd := uniforms(r, k, 0.5, 1.5)
	root := cholesky(decay(k, uniform(r, 0, 0.4)))
	group := assign(r, n, uneven(r, 3))
	table := rows(n, func(i int) []string {
		x := correlated(r, root)
		for j := range x {
			x[j] = centre[j] + sd[j]*math.Pow(ratio, float64(group[i]))*x[j]
		}
		return fixedRow(x, 2)
	})
	return law.Data{Columns: numbered("gauge", 1, k, false), Table: table, Group: group}
}

// machinesWithinPlants draws two machines in each of three plants.
func machinesWithinPlants(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("length_mm width_mm height_mm bore_mm roughness_um runout_um hardness_hv")
	k := len(columns)
	level := []float64{120, 80, 35, 12, 1.6, 9, 410}
	sd := []float64{0.08, 0.06, 0.05, 0.02, 0.15, 1.1, 9}
	var centres [][]float64
	for range 3 {
		plant := normals(r, k, 0, uniform(r, 5, 6))
		apart := normals(r, k, 0, 1)
		length := 0.0
		for _, d := range apart {
			length += d * d
		}
		half := uniform(r, 2.2, 2.7) / math.Sqrt(length)
		for _, sign := range []float64{-1, 1} {
			c := make([]float64, k)
			for j := range c {
				c[j] = plant[j] + sign*half*apart[j]
			}
			centres = append(centres, c)
		}
	}
	group := assign(r, n, uneven(r, 6))
	table := rows(n, func(i int) []string {
		row := make([]string, k)
		for j := range row {
			row[j] = fixed(level[j]+sd[j]*(centres[group[i]][j]+r.NormFloat64()), 3)
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}
