package main

// part is a section of the summary.
type part struct {
	title string
	rows  []row
}

func fig(name, experiment, heading, row, col string) *figure {
	return &figure{name, experiment, heading, row, col}
}

// ledger lists every table, figure, algorithm, theorem that serves as a tool, and
// closing idea of the five papers.
func ledger() []part {
	return []part{
		{"Flat mixtures", flatRows()},
		{"Topics", topicRows()},
		{"Trees", treeRows()},
		{"Hospital stays", hospitalRows()},
		{"Algorithms", algorithmRows()},
		{"Theorems as tools", theoremRows()},
		{"Closing ideas", ideaRows()},
		{"Data that cannot be had", closedRows()},
	}
}

func flatRows() []row {
	poisson := func(name string) *figure { return fig(name, "flat", "Poisson mixture", name, "error") }
	clock := func(name string) *figure { return fig(name, "flat", "Poisson mixture", name, "CPU (moments") }
	panel := func(experiment, setting, col string) *figure {
		return fig(col, experiment, "([T] Fig. 4.1", setting, col)
	}
	out := []row{
		{
			item: "[T] Fig. 2.1, Poisson, n=10000: error of the centers", says: "SVTD as accurate as TPM, and faster",
			ours: poisson("default + EM"), theirs: poisson("SVTD"), less: true,
			claim: &claim{first: poisson("SVTD"), second: poisson("TPM"), less: true, says: "tie"},
		},
		{
			item: "[T] Fig. 2.1b: milliseconds of moments and decomposition", says: "SVTD is faster than TPM",
			ours: clock("default"), theirs: clock("SVTD"), less: true, claim: &claim{first: clock("SVTD"), second: clock("TPM"), less: true, says: "better"},
		},
		{item: "the same, moments alone", says: "–", ours: poisson("default"), theirs: poisson("TPM"), less: true},
	}
	const asvtd, random = "ASVTD + EM (papers' stop)", "EM, 10 random starts"
	for _, s := range []struct{ experiment, setting, item string }{
		{"bernoulli-n", "100 12 99", "[T] Fig. 4.1 left, [P] Fig. 3: 12 groups of presences, n=100: ARI"},
		{"bernoulli-n", "1000 12 99", "the same, n=1000"},
		{"bernoulli-n", "10000 12 99", "the same, n=10000"},
		{"bernoulli-k", "10000 4 99", "[T] Fig. 4.1 middle, k=4, n=10000"},
		{"bernoulli-many", "10000 33 99", "the same, k=33"},
		{"bernoulli-d", "10000 4 12", "[T] Fig. 4.1 right, d=12, k=4, n=10000"},
		{"bernoulli-d", "10000 4 48", "the same, d=48"},
	} {
		out = append(out, row{
			item: s.item, says: "ASVTD + EM ahead of k-means, of spectral clustering and of three views without EM",
			ours: panel(s.experiment, s.setting, "default + EM"), theirs: panel(s.experiment, s.setting, asvtd),
			claim: &claim{first: panel(s.experiment, s.setting, asvtd), second: panel(s.experiment, s.setting, "SC-lin"), says: "better"},
		})
	}
	out = append(out,
		row{item: "the same, n=10000 k=12, beside ten random starts of EM", says: "–", ours: panel("bernoulli-n", "10000 12 99", "default + EM"), theirs: panel("bernoulli-n", "10000 12 99", random)},
		row{
			item: "the same, beside three views + EM", says: "three views with EM behave like ASVTD + EM", ours: panel("bernoulli-n", "10000 12 99", "default + EM"), theirs: panel("bernoulli-n", "10000 12 99", "3V-MoM + EM"),
			claim: &claim{first: panel("bernoulli-n", "10000 12 99", "3V-MoM + EM"), second: panel("bernoulli-n", "10000 12 99", asvtd), says: "tie"},
		},
		row{
			item: "[T] Fig. 4.2, [P] Fig. 4, Table 3: seconds a clustering (panel of groups)", says: "spectral clustering is slowest", printed: "ASVTD + EM 1.3 s; 3V-TPM + EM 3.68; 3V-MoM + EM 0.77; k-means 0.76; SC-lin 7.48; PCA 0.38",
			ours: fig("default + EM", "bernoulli-k", "CPU seconds", "default + EM", "CPU"), theirs: fig("ASVTD + EM", "bernoulli-k", "CPU seconds", "ASVTD + EM", "CPU"), less: true,
			note: "our spectral clustering forms no n×n kernel, so that its seconds are not the paper's",
		},
	)
	return out
}

func topicRows() []row {
	l := func(name, row, col string) *figure { return fig(name, "flat", "LDA, topics", row, col) }
	coherent := func(e, name string) *figure { return fig(name, e, "mean coherence", name, "k=8") }
	return []row{
		{item: "[T] Fig. 3.1, [S] Fig. 1: error of M2 / M3, flat topics of even length", says: "length weights beat equal weights", ours: fig("saturating", "flat", "Moment estimators", "flat", "saturating"), theirs: fig("length", "flat", "Moment estimators", "flat", "length (papers)"), less: true, note: "peaked topics with long tails turn the claim round (table)"},
		{item: "[T] 3.3: LDA, α0=1, n=2000: L1 of a topic", says: "α0 must be given", ours: l("estimated α0, refined", "2000 1.000", "refined"), theirs: l("moments alone", "2000 1.000", "moments"), less: true},
		{item: "the same, α0=10", says: "–", ours: l("estimated α0, refined", "2000 10.000", "refined"), theirs: l("told the true α, 100 steps more", "2000 10.000", "until it rests"), less: true, note: "reference run: tomotopy, told the true α, 1000 sweeps .179. What limited was the number of steps; more of them, with a known α too, gain what stands beside"},
		{item: "[T] Fig. 3.2, Divina Commedia, k=8: coherence", says: "moments ahead of Gibbs sampling", ours: coherent("divina", "single topic, default"), theirs: coherent("divina", "single topic, SVTD"), claim: &claim{first: coherent("divina", "single topic, SVTD"), second: coherent("divina", "LDA, Gibbs, 500 sweeps"), says: "better"}, note: "coherence rewards topics that repeat each other's words: SVTD's do (table of diversity)"},
		{item: "[T] Figs 3.2b, 3.4b: running times", says: "moments far faster than sampling", command: "go run -C experiments . divina sotu", note: "in the tables, and beside other tools below"},
		{item: "[T] Fig. 3.3, three topics: ARI with the cantiche", says: "each cantica has its topic", ours: fig("single topic", "divina", "Three topics", "single topic, default", "ARI"), theirs: fig("SVTD", "divina", "Three topics", "single topic, SVTD", "ARI")},
		{item: "[T] Table 3.1, words of paradise", says: "light, Christ, created", ours: fig("", "divina", "Three topics", "single topic, default paradiso", "five"), theirs: fig("", "divina", "Three topics", "single topic, SVTD paradiso", "five"), printed: "luce, Cristo, creata, lume, vicine", note: "the paper's words are rarer: its text and stop words are not known"},
		{item: "[S] Table 1: cantos of hell in their group", says: "two groups follow the poem", ours: fig("single topic", "divina", "Two topics", "single topic, default", "inferno"), theirs: fig("SVTD", "divina", "Two topics", "single topic, SVTD", "inferno"), printed: "32 of 34"},
		{item: "[S] Fig. 4: share of heaven, correlation with the canto", says: "rises along the poem", ours: fig("LDA", "lda-k2", "LDA, two topics", "LDA, default", "correlation"), theirs: fig("SVTD, α0=2", "lda-k2", "LDA, two topics", "LDA, SVTD", "correlation")},
		{item: "[T] Fig. 3.4a, State of the Union, k=8: coherence", says: "moments ahead of Gibbs, single topic ahead of LDA", ours: coherent("sotu", "single topic, default"), theirs: coherent("sotu", "single topic, SVTD"), claim: &claim{first: coherent("sotu", "single topic, SVTD"), second: coherent("sotu", "LDA, Gibbs, 300 sweeps"), says: "better"}},
		{item: "[T] Fig. 3.4c: ARI with the president", says: "a president's speeches share topics", ours: fig("single topic", "sotu", "Groups and presidents", "single topic, default", "ARI"), theirs: fig("SVTD", "sotu", "Groups and presidents", "single topic, SVTD", "ARI")},
		{item: "[T] Table 3.2, eighteen topics", says: "terror and Iraq, cold war, …", ours: fig("first topic:", "sotu", "Eighteen topics", "1", "five"), note: "all eighteen in the tables"},
		{item: "[S] Table 2, five eras: spread of years in a group", says: "five groups follow the eras", ours: fig("single topic", "sotu", "Groups and presidents", "single topic, default", "mean spread"), theirs: fig("SVTD", "sotu", "Groups and presidents", "single topic, SVTD", "mean spread"), less: true},
		{item: "[S] Fig. 2, 1000 documents: 10³ times the error of MΩMᵀ", says: "all methods alike", ours: fig("default + EM", "added-documents", "([S] Fig. 2)", "default + EM", "N=1000"), theirs: fig("SVTD", "added-documents", "([S] Fig. 2)", "SVTD", "N=1000"), less: true},
		{item: "[S] Fig. 3, one document more: mean movement", says: "SVTD as stable as TPM", ours: fig("default + EM", "added-documents", "([S] Fig. 3)", "default + EM", "mean"), theirs: fig("SVTD", "added-documents", "([S] Fig. 3)", "SVTD", "mean"), less: true, note: "without EM the default moves least (table); EM jumps between optima while documents are few"},
	}
}

func treeRows() []row {
	topic := func(name, words string) *figure { return fig(name, "tree", words+" words", name, "ARI") }
	const sidiwo, tree = "SIDIWO tree ([H] Alg. 2, no EM)", "default tree of 8"
	nips := func(name, col string) *figure { return fig(name, "nips", "nips: ", name, col) }
	brief := func(name, col string) *figure { return fig(name, "tree", "documents of 30 words", "400", col) }
	over := func(col string) *figure { return fig(col, "overcomplete", "Four Gaussian", "square", col) }
	return []row{
		{item: "[T] Table 5.1, [H] Table 1: 8 topics, 200 words: ARI", says: "SIDIWO tree .98, TPM .93, SVTD .85, Rand. Proj. .72 (16 min), ALS .70", ours: topic(tree, "200"), theirs: topic(sidiwo, "200"), printed: ".98", claim: &claim{first: topic(sidiwo, "200"), second: topic("TPM", "200"), says: "better"}, note: "TPM is printed as .93, and is .863 here and .839 by the authors' code on the same draws: the difference lies in the draws, of which the paper gives a picture and no numbers"},
		{item: "the same, 100 words", says: "–", ours: topic(tree, "100"), theirs: topic(sidiwo, "100")},
		{item: "the same, 50 words", says: "–", ours: topic(tree, "50"), theirs: topic(sidiwo, "50")},
		{item: "the same, 30 words", says: "–", ours: brief("default tree of 8", "default tree"), theirs: brief("EM from the truth", "EM from the truth"), note: "what limits are the documents: next row; with 2,000 of them the two are nearly the same (table)"},
		{item: "the same: share of the seeds in which the topics found are at least as likely as those of EM from the truth", says: "–", ours: brief("", "EM from the tree at least"), note: "no search for likelier topics would find the true ones"},
		{item: "[T] Fig. 5.1, [H] Fig. 1: the tree of seed 0", says: "topics nest", ours: fig("records of topics 1 to 8 in node 1.1:", "tree", "The tree of seed 0", "1.1", "documents of"), note: "whole tree in the tables"},
		{item: "[T] Fig. 5.2, [H] Fig. 2: NIPS, NMI with the session", says: "leaves read as fields", ours: nips("default tree", "NMI"), theirs: nips(sidiwo, "NMI"), note: "on 1987–1999"},
		{item: "the same: NPMI of ten words", says: "–", ours: nips("default tree", "NPMI"), theirs: nips("bisecting k-means", "NPMI"), note: "bisecting k-means leads here"},
		{item: "[T] Fig. 6.5, four groups in two features (square): ARI", says: "pseudo-centers find more groups than features", ours: over("default tree of 4"), theirs: over("splits without EM"), note: "k-means does as well (table)"},
		{item: "[T] ch. 6 on known groups, hier8: ARI", says: "D-SIDIWO finds good groups without EM", ours: fig("default tree", "bernoulli-trees", "hier8, d=100 n=2000, 8", "default tree", "ARI"), theirs: fig("D-SIDIWO", "bernoulli-trees", "hier8, d=100 n=2000, 8", "D-SIDIWO ([T] Alg. 5)", "ARI")},
		{item: "[T] 6.2, D-SIDIWO into k > 2 parts: a tree of cuts in two beside all parts at once, hier8: ARI", says: "discriminants for any number of parts", ours: fig("tree", "bernoulli-trees", "hier8, d=100 n=2000, 8", "D-SIDIWO ([T] Alg. 5)", "ARI"), theirs: fig("at once", "bernoulli-trees", "hier8, d=100 n=2000, 8", "D-SIDIWO into all", "ARI"), note: "so nodes of a tree are cut in two; all parts at once: `moiety fit DATA -k K --method d-sidiwo`"},
		{item: "the same: stability, sparse hier8", says: "D-SIDIWO the most stable", ours: fig("default tree", "bernoulli-trees", "Stability", "default tree", "ARI"), theirs: fig("D-SIDIWO", "bernoulli-trees", "Stability", "D-SIDIWO ([T] Alg. 5)", "ARI")},
		{item: "objective of SIDIWO, 50 words, flat: ARI", says: "the papers minimise the sum of norms over all slices", ours: fig("default", "slices", "SIDIWO without EM", "8 topics, 50 words, flat", "squares"), theirs: fig("--slices all", "slices", "SIDIWO without EM", "8 topics, 50 words, flat", "sum of norms"), note: "no worse on any of eight settings (table)"},
		{item: "the same, trees", says: "–", ours: fig("default", "slices", "SIDIWO without EM", "8 topics, 50 words, tree", "squares"), theirs: fig("--slices all", "slices", "SIDIWO without EM", "8 topics, 50 words, tree", "sum of norms")},
	}
}

func hospitalRows() []row {
	const free, tree = "D-SIDIWO ([T] Alg. 5)", "default tree"
	at := func(data, name, col string) *figure { return fig(name, "patients", data+": ", name, col) }
	const tuned = "the constants of the split (internal/tree/skew.go) were tuned on diabetes130 and the number of steps over the leaves on desynpuf: these rows are no test of them"
	return []row{
		{item: "[T] Table 6.1, stability of 16 groups, desynpuf", says: "D-SIDIWO most stable", ours: at("desynpuf", tree, "stability"), theirs: at("desynpuf", free, "stability"), printed: "D-SIDIWO .95, + EM .90, ASVTD + EM .73 (MIMIC)", note: tuned},
		{item: "the same, diabetes130", says: "–", ours: at("diabetes130", tree, "stability"), theirs: at("diabetes130", free, "stability"), printed: "D-SIDIWO .89, + EM .86, ASVTD + EM .65 (second cohort)", note: tuned},
		{item: "the same, flat fits, desynpuf", says: "ASVTD + EM less stable", ours: at("desynpuf", "flat default + EM", "stability"), theirs: at("desynpuf", "ASVTD + EM", "stability")},
		{item: "[T] Table 6.2, a stay of more than a week foretold: AUC, desynpuf", says: "accuracy .62", ours: at("desynpuf", tree, "AUC"), theirs: at("desynpuf", free, "AUC"), note: "accuracy hardly tells: four in five stays are short"},
		{item: "the same, diabetes130", says: "accuracy .70", ours: at("diabetes130", tree, "AUC"), theirs: at("diabetes130", free, "AUC")},
		{item: "[T] Fig. 6.1, stability by depth: 32 groups, desynpuf", says: "D-SIDIWO stays stable, flat methods fall", ours: fig(tree, "depth", "desynpuf: stability", tree, "32"), theirs: fig("D-SIDIWO", "depth", "desynpuf: stability", free, "32"), note: tuned},
		{item: "[T] Fig. 6.3, AUC by depth: 32 groups, desynpuf", says: "–", ours: fig(tree, "depth", "desynpuf: AUC", tree, "32"), theirs: fig("3V-MoM + EM", "depth", "desynpuf: AUC", "3V-MoM + EM", "32")},
		{item: "[T] Table 4.1, [P] Table 1: heart failure in five groups", says: "metabolic; diabetic with vessels; valves and lungs; infection and kidneys; kidneys", ours: fig("largest:", "patients", "Heart failure (code", "1", "five"), note: "all five in the tables; desynpuf is synthetic and keeps few correlations"},
		{item: "[P], stability of the five groups", says: "above .9 for ASVTD + EM", ours: fig("flat default + EM", "patients", "Heart failure: stability", "flat default + EM", "stability"), theirs: fig("ASVTD + EM", "patients", "Heart failure: stability", "ASVTD + EM", "stability"), printed: "above .9", note: "a tree of five leaves is far behind (table)"},
	}
}

func algorithmRows() []row {
	exact := func(name, method string) *figure { return fig(name, "realizable", "Exact moments", method, "mean") }
	return []row{
		{item: "[T] Alg. 1, [S] Alg. 1, [P] App. C: SVTD", says: "exact on exact moments", ours: exact("L1", "svtd"), command: "moiety fit DATA -k K --method svtd -o RUN"},
		{item: "[S] Alg. 2: SVTD, the feature removed", says: "for perturbed moments", command: "moiety fit DATA -k K --method svtd-removed -o RUN", note: "exact on exact moments (decompose battery)"},
		{item: "[T] Alg. 2, [P] App. D: ASVTD + EM", says: "binary records without corrected moments", ours: fig("default + EM", "bernoulli-n", "Fig. 4.1", "1000 12 99", "default + EM"), theirs: fig("ASVTD + EM", "bernoulli-n", "Fig. 4.1", "1000 12 99", "ASVTD + EM"), command: "moiety fit DATA -k K --method svtd --moments raw -o RUN"},
		{item: "[T] Alg. 3, [H] Alg. 1: SIDIWO", says: "exact for l = k, pseudo-centers for l < k", ours: exact("L1", "sidiwo"), command: "moiety fit DATA -k K --method sidiwo --slices all -o RUN"},
		{item: "[T] Alg. 4, [H] Alg. 2: a corpus split again and again", says: "–", ours: fig("SIDIWO tree", "tree", "200 words", "SIDIWO tree ([H]", "ARI"), command: "moiety fit DATA --leaves L --method sidiwo -o RUN"},
		{item: "[T] Alg. 5: D-SIDIWO, also into k > 2 parts", says: "no model", ours: fig("D-SIDIWO", "bernoulli-trees", "hier8, d=100 n=2000, 8", "D-SIDIWO ([T] Alg. 5)", "ARI"), command: "moiety fit DATA -k K --method d-sidiwo -o RUN"},
		{item: "[L], [T] 1.3: tensor power method", says: "–", ours: exact("L1", "tpm"), command: "moiety fit DATA -k K --method tpm -o RUN"},
		{item: "[L]: Jennrich's algorithm", says: "–", command: "moiety fit DATA -k K --method jennrich -o RUN", note: "exact on exact moments (decompose battery)"},
		{item: "[T] Fig. 2.1: ALS on M3 itself", says: "–", command: "moiety fit DATA -k K --method als-direct -o RUN", note: "at most 60 features; exact on exact moments (decompose battery)"},
		{item: "[T] Fig. 4.1: three views by moments, by TPM; linear spectral clustering", says: "–", ours: fig("3V-MoM + EM", "bernoulli-n", "Fig. 4.1", "1000 12 99", "3V-MoM + EM"), theirs: fig("SC-lin", "bernoulli-n", "Fig. 4.1", "1000 12 99", "SC-lin"), command: "moiety fit DATA -k K --method three-view -o RUN", note: "also three-view-tpm, spectral-clustering"},
		{item: "[L]: mixtures of spherical Gaussians", says: "centers and variances from three moments", command: "moiety fit DATA -k K --model gaussian --covariance spherical -o RUN", note: "recovered from exact moments (family battery)"},
		{item: "[L]: each Gaussian its own variance (Hsu and Kakade 2013)", says: "from three moments too", command: "moiety fit DATA -k K --model gaussian --covariance spherical --variance own -o RUN", note: "the default of spherical groups; recovered from exact moments (family battery)"},
		{item: "[L]: simultaneous diagonalisation of several contractions", says: "less sensitive to noise than one", ours: exact("L1", "random-projections"), command: "moiety fit DATA -k K --method random-projections -o RUN"},
		{item: "[L]: hidden Markov models by three views", says: "–", ours: fig("log-likelihood a person, 3 states", "beyond", "mvad", "3", "moments + Baum"), theirs: fig("best of five random starts", "beyond", "mvad", "3", "best of 5"), command: "moiety fit DATA -k K --model hmm -o RUN"},
	}
}

func theoremRows() []row {
	return []row{
		{item: "[T] Thm 1.2.2: two moments do not tell the model", says: "any rotation has the same two", command: "go test ./decompose -run TwoMoments", note: "and another third moment"},
		{item: "[T] Thm 1.2.1, 3.2.1, 3.3.1, [S] Thm 2.1, 3.1: moments of the models", says: "unbiased", command: "go test ./moment ./internal/family/...", note: "against formulas that share no code, 1e-13"},
		{item: "[T] Thm 2.1.1, [S] Thm 4.1: SVTD on exact moments", says: "returns the parameters", ours: fig("L1", "realizable", "Exact moments", "svtd", "mean")},
		{item: "[T] Thm 4.3.1: raw moments of presences", says: "off only where a feature meets itself, by a bound", command: "go test ./decompose -run RawMoments", note: "holds; the default completes these entries instead"},
		{item: "[T] Thm 6.2.1: what D-SIDIWO minimises", says: "discriminants of size one that do not correlate", command: "go test ./decompose -run Discriminants", note: "holds on the records to 1e-6"},
		{item: "[T] Thm 5.3.1, [H] Thm 3.1: l = k", says: "SIDIWO returns the parameters", ours: fig("L1", "realizable", "Exact moments", "sidiwo", "mean")},
		{item: "[T] Thm 5.3.2, [H] Thm 3.2: l < k (share of documents that lie with their topic, l = 4)", says: "pseudo-centers stand for groups of topics", ours: fig("SIDIWO", "realizable", "Fewer pseudo-centers", "4", "SIDIWO"), theirs: fig("TPM", "realizable", "Fewer pseudo-centers", "4", "TPM")},
		{item: "[T] Thm 5.3.3, [H] Thm 3.3: two components in closed form", says: "–", command: "go test ./decompose -run Pair", note: "against a grid of 10001 angles"},
		{item: "[H] App. A: Lemma A.1", says: "T111 ≠ T221, no orthogonal decomposition", ours: fig("left less right", "counterexample", "Three centers", "Lemma A.1", "ours"), printed: "not 0", note: "holds"},
		{item: "[T] Thm 3.2.2, [S] Thm 2.2: sample accuracy of the moments", says: "errors fall as 1/√n", command: "moiety inspect DATA --bounds", note: "kos: within .11 ([T]) and .041 ([S], for words that are all independent) where M2 is of size .0013: loose"},
		{item: "[T] Thm 2.2.1, [S] Thm 5.1: perturbation", says: "errors of the centers go by the gaps of M2 and of a feature", command: "moiety inspect DATA --bounds", note: "says nothing of kos with three groups: needs errors below γ = 3e-11, and they are up to .17"},
		{item: "Kruskal's condition (beside [T] 1.3)", says: "components are unique where k-ranks suffice", command: "moiety inspect DATA --bounds", note: "a fit whose groups fail it is warned of"},
		{item: "[T] Rem. 3.3.2: topics of a document by Gibbs sampling", says: "–", command: "moiety fit DATA -k K --model lda --inference gibbs -o RUN", note: "meets the true posterior mean within .01 (test)"},
		{item: "[L]: binomial with an unknown number of trials", says: "k = m1²/(m1² + m1 − m2)", command: "moiety fit COUNTS -k K --model binomial --trials moments -o RUN", note: "for k groups, of which the formula is the case k = 1: 16 trials found from 6,000 records of three groups whose largest count is 11, where the formula for one has no answer (go test ./internal/family/binomial -run Trials); as one group also in `moiety inspect COUNTS --bounds`"},
	}
}

func ideaRows() []row {
	views := func(name, heading, row, col string) *figure { return fig(name, "two-views", heading, row, col) }
	fails := func(name, row string) *figure { return fig(name, "svtd-fails", "Centers of two levels", row, "mean") }
	return []row{
		{item: "[T] conclusions: SVTD where no feature tells all groups apart", says: "may fail", ours: fails("ours", "SVTD, slices combined"), theirs: fails("one slice", "SVTD, one slice"), less: true, note: "repaired"},
		{item: "[T] conclusions: synthetic patients (AUC of a classifier, 12 groups known)", says: "hard to tell from real ones", ours: fig("12 groups", "synthetic-test", "known", "a model of 12", "AUC"), theirs: fig("1 group", "synthetic-test", "known", "a model of 1 ", "AUC"), less: true},
		{item: "[T] conclusions: genotypes (hgdp, ARI with the regions)", says: "–", ours: fig("flat default + EM", "beyond", "Known groups", "hgdp", "flat default"), theirs: fig("EM, 10 random starts", "beyond", "Known groups", "hgdp", "EM, 10")},
		{item: "[T] conclusions: latent trees of features", says: "recursive grouping from pairs", command: "moiety features DATA -o tree.html", note: "groups that both halves of the records show; drawn (.svg, .png) and explained on a page"},
		{item: "[T] conclusions: genotype and phenotype in two views, ARI", says: "–", ours: views("alleles and codes", "60 loci", "all people", "two views"), theirs: views("codes alone", "60 loci", "all people", "codes alone"), note: "alleles alone do as well"},
		{item: "the same: told as shared, of the seeds, where a fifth of the people have the codes of their group", says: "–", ours: views("", "60 loci", "a fifth", "told as shared"), note: "half of them and all: table"},
		{item: "the same: told as shared though independent, of 200 seeds", says: "–", ours: views("", "60 loci", "nobody", "told as shared"), note: "5 % are promised"},
		{item: "the same: hgdp and codes drawn by region (it has no phenotypes), ARI with the regions", says: "–", ours: views("alleles and codes", "hgdp: ", "of the person", "two views"), theirs: views("alleles alone", "hgdp: ", "of the person", "alleles alone"), note: "which alleles and codes mark a group: table"},
		{item: "the same: told as shared, the person's own codes", says: "–", ours: views("", "hgdp: ", "of the person", "told as shared")},
		{item: "the same: told as shared, the codes of somebody else", says: "–", ours: views("", "hgdp: ", "of somebody else", "told as shared")},
		{item: "[L]: independent components, mixed linear regression", says: "have such moments too", command: "–", note: "left out by decision: no groups of records"},
		{item: "[T] conclusions: several sources of one record, codes and running text", says: "views that share their groups", command: "moiety convert codes.csv --beside notes.csv --to csv -o both.csv", note: "then `moiety fit both.csv --model multiview --views 'code_*:word_*' -k K -o RUN`; who lacks one is placed by the other, notes of other people are told (go test ./cmd/moiety -run Beside)"},
		{item: "the same: people who lack their codes, ARI", says: "–", ours: views("by alleles", "Views that are missing", "with alleles alone", "ARI")},
		{item: "the same: people who lack their alleles", says: "–", ours: views("by codes", "Views that are missing", "with codes alone", "ARI"), note: "codes alone tell as much as that"},
		{item: "the same: codes that are other people's beside two views of alleles, told as shared, of 20 seeds", says: "–", ours: views("", "rows belong to others", "codes", "codes"), note: "alleles that lie, and views that do not: table"},
	}
}

func closedRows() []row {
	not := func(item, says, why, stand string) row {
		return row{item: item, says: says, command: "–", note: why + "; nearest public substitute: " + stand}
	}
	const closed = "data not free"
	return []row{
		not("[T] Tables 4.2, 4.3, Figs 4.3–4.5, [P] Table 2, Figs 1, 2: tertiary hospital, MIMIC-III", "clinical groups and their outcomes", closed, "desynpuf and diabetes130, rows above; the charts of the figures are those of every report (moiety report RUN -o FILE.html)"),
		not("[T] Fig. 5.3, [H] Fig. 3: Wikipedia", "a tree of articles", "the text is free, but which articles were taken is not published", "kos and ap (`go run -C experiments . nips`)"),
		not("[T] Figs 6.2–6.4: MIMIC-III trees", "phenotypes in a tree", closed, "desynpuf (`go run -C experiments . depth`)"),
	}
}
