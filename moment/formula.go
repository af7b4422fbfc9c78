package moment

// Formula says how a model's moments are made from records.
type Formula struct {
	Law Law // what the model knows of products of a feature with itself
	// Weigh returns what a record of total t contributes: factors r, u, v of
	// its share in M1, M2, M3. The moments are then divided by Σ r·t,
	// Σ u·t(t−1) and Σ v·t(t−1)(t−2), as for bags of words. Nil means that
	// every record counts alike and the moments are divided by n.
	Weigh func(t float64) (r, u, v float64)
	// Scale divides each feature: the moments are those of x_h/Scale_h. Nil
	// means no scaling.
	Scale []float64
	// Pairs keeps the whole d×d second moment from one scan, so that no later
	// one is needed for it: the right choice for short rows and small d.
	Pairs bool
	// Single lets M2·B and M3(B,B,B) of sparse rows be summed up in single
	// precision, block by block of records, and the blocks in double: moments
	// to six digits, far below what sampling leaves, in half the time. Blocks
	// of few entries are summed up in double precision all the same.
	Single bool
}
