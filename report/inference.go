package report

// Inference is what a paper prints of latent classes: how far their parameters
// can be trusted, how well they tell records apart and explain them.
type Inference struct {
	Parameters    int    `json:"parameters" gate:"features"` // free ones
	LogLikelihood Number `json:"log_likelihood"`
	// Criteria: the lower the better.
	AIC         Number `json:"aic"`
	BIC         Number `json:"bic"`
	AdjustedBIC Number `json:"adjusted_bic"`
	CAIC        Number `json:"caic"`
	ICL         Number `json:"icl"`
	EntropyR2   Number `json:"entropy_r2"` // 1 where every record is sure of its class
	// Together says that standard errors take all parameters together (observed
	// information); else each is taken alone, as if the others were known.
	Together bool `json:"together"`
	// Singular says that the records do not identify the parameters: there are
	// no standard errors.
	Singular  bool       `json:"singular"`
	Shares    []Estimate `json:"shares"` // of the groups, in their order
	Questions []Question `json:"questions"`
	// Posterior[i][j] is the mean probability of group j among the records put
	// into group i, whose numbers are Modal: the classification table.
	Modal     []Count    `json:"modal"`
	Posterior [][]Number `json:"posterior"`
	// Pairs are the pairs of questions that depend on each other most beyond
	// their groups, of Tested, of which Dependent have a residual above 3.84.
	Pairs     []Residual `json:"pairs"`
	Tested    int        `json:"tested" gate:"features"`
	Dependent int        `json:"dependent" gate:"features"`
}

// Question is a question with the probabilities of its answers in every group.
type Question struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Answers []Answer `json:"answers"`
}

// Answer is an answer of a question, or a feature that is there.
type Answer struct {
	Index  int        `json:"index" gate:"index"` // in the tables, from 0
	Name   string     `json:"name"`
	Title  string     `json:"title"`
	Groups []Estimate `json:"groups"` // in their order
}

// Estimate is a parameter of the model, weighted by posteriors, with its
// standard errors and 95 % interval.
type Estimate struct {
	Value Number `json:"value"`
	// SE is by the observed information, Outer by the outer product of the
	// scores, Resampled by drawing sums of scores again.
	SE        Number `json:"se"`
	Outer     Number `json:"se_outer"`
	Resampled Number `json:"se_resampled"`
	Low       Number `json:"low"`
	High      Number `json:"high"`
	Edge      bool   `json:"edge"` // at 0 or 1: no such interval
}

// Residual is how far two questions depend on each other beyond the groups.
type Residual struct {
	A         string `json:"a"`
	B         string `json:"b"`
	X2        Number `json:"x2"`
	DF        int    `json:"df" gate:"features"`
	Size      Number `json:"residual"` // x2/df
	Dependent bool   `json:"dependent"`
}
