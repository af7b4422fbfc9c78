package main

// ofFresh has changes that were drawn from the lines of these areas with a condition or a
// constant, before their tests were looked at: what they find says how strong tests are
// that nobody wrote with a change in view.
func ofFresh() []mutant {
	return []mutant{
		{area: "choose", file: "internal/choose/correlations.go", from: "const leastSeen = 10", to: "const leastSeen = 1", why: "features of a handful of records say how many groups there are"},
		{area: "choose", file: "internal/choose/grid.go", from: "if coarse && k >= denseUpTo {", to: "if coarse && k > 100*denseUpTo {", why: "every number is tried, however long that takes"},
		{area: "choose", file: "internal/choose/advice.go", from: "if p.HeldOut > 0 && p.HeldOut < a.Low {", to: "if p.HeldOut > 0 && p.HeldOut > a.Low {", why: "the range leaves out what records aside say"},
		{area: "choose", file: "internal/choose/heldout.go", from: "if t.point.HeldOut > s.tried[best].point.HeldOut {", to: "if t.point.HeldOut < s.tried[best].point.HeldOut {", why: "the number that records aside speak against is picked"},
		{area: "explain", file: "internal/explain/relevance.go", from: "if count >= n {", to: "if count > n {", why: "the interval of a feature that all have passes 1"},
		{area: "explain", file: "internal/explain/relevance.go", from: "const z95 = 1.959963984540054", to: "const z95 = 1.644853626951473", why: "intervals of 90 % are called those of 95 %"},
		{area: "explain", file: "internal/explain/trends.go", from: "if !ok || g.Adjusted.Or(1) >= clearBelow {", to: "if !ok || g.Adjusted.Or(1) < clearBelow {", why: "trends by chance are told, clear ones are not"},
		{area: "explain", file: "internal/explain/trends.go", from: "bad > 0 && s.n[bad-1] < s.n[bad+1] {", to: "bad > 0 && s.n[bad-1] > s.n[bad+1] {", why: "a small period is joined to the larger neighbour"},
		{area: "explain", file: "internal/explain/split.go", from: "if d.Z < 0 {", to: "if d.Z > 0 {", why: "features are named for the other side of a split", same: "the sentence says \"one part\" and \"the other\", and no number of either"},
		{area: "explain", file: "internal/explain/sides.go", from: "if v := list[l]; v > 0 && b.small(v) || n-v > 0 && b.small(n-v) {", to: "if v := list[l]; v > 0 && b.small(v) {", why: "few who lack an answer follow from those who gave it", same: "a rest that is small has an answer that is, by which it is joined"},
		{area: "explain", file: "internal/explain/distal.go", from: "if c[0] < limit || few(c[2]) ||", to: "if c[0] < limit ||", why: "an outcome of few records is told"},
		{area: "run", file: "internal/run/update.go", from: "if f < 1 && o.IsTree() {", to: "if f < 1 && false {", why: "a tree of forgotten records is taken for one of all"},
		{area: "run", file: "internal/run/assignments.go", from: "if n > uint64(len(rest)) {", to: "if false {", why: "a damaged file asks for all memory"},
		{area: "run", file: "internal/run/assignments.go", from: "if uint32(g) < 0x80 {", to: "if uint32(g) < 0x180 {", why: "groups above 127 are written as others"},
		{area: "encode", file: "internal/encode/choose.go", from: "const enough = 0.25 //", to: "const enough = 2.5 //", why: "full tables are kept as sparse rows", same: "rows hold the same numbers in either form, and every fit gives the same groups"},
		{area: "encode", file: "internal/encode/choose.go", from: "if e.stats.df[t] > 0 || e.stats.missing[t] > 0 || e.s.KeepUnused {", to: "if e.stats.df[t] > 0 || e.s.KeepUnused {", why: "a column whose values are all missing is dropped without a word"},
		{area: "encode", file: "internal/encode/choose.go", from: "if e.schema.Sparse && e.stats.stored[t] < e.stats.rows {", to: "if false {", why: "the least value of a sparse column is not zero"},
		{area: "read", file: "internal/read/fhir/resource.go", from: "if best < 0 || sys != other && (found == other || sys < found) {", to: "if best < 0 || sys != other && (found == other || sys > found) {", why: "another of several codings is taken"},
		{area: "read", file: "internal/read/delimited/kinds.go", from: "if c.negatives > 0 && c.lowMarks() != nil {", to: "if c.negatives > 0 && false {", why: "-9 and -99 stay values"},
		{area: "read", file: "internal/read/delimited/rolewide.go", from: "c.Distinct >= 5 && c.evidence(o) > sureCodes {", to: "c.Distinct >= 5 && c.evidence(o) > 100*sureCodes {", why: "a column of ICD-9 codes is taken for a measurement", packages: []string{"./internal/read"}},
		{area: "cmd", file: "cmd/moiety/export.go", from: "if len(three) > 0 && to != \"csv\" && to != \"json\" {", to: "if false {", why: "a three-step table is promised in a form that has none", packages: []string{"./cmd/moiety"}},
		{area: "cmd", file: "cmd/moiety/export.go", from: "if x.guarded > 0 {", to: "if x.guarded < 0 {", why: "cells that were guarded against spreadsheets go unsaid", packages: []string{"./cmd/moiety"}},
		{area: "others", file: "internal/read/source/made.go", from: "if !quoted && clean {", to: "if clean {", why: "a cell with a comma is written without quotes"},
		{area: "others", file: "internal/read/omop/rows.go", from: "if len(w.rest) > 0 {", to: "if false {", why: "a row that arrives in two parts is read as two"},
		{area: "others", file: "internal/inspect/inspect.go", from: "case k <= v.Components:", to: "case k < v.Components:", why: "the last useful description is called chance"},
		{area: "others", file: "sparse/builder.go", from: "for e++; e < len(b.keys) && b.keys[e]>>32 == h; e++ {", to: "for e++; e < len(b.keys) && false; e++ {", why: "a feature that a record names twice stands twice in its row"},
		{area: "others", file: "dataset/each.go", from: "if i/pass.BlockRecords != blocks[at] {", to: "if false {", why: "records of the second block are taken from the first"},
		{area: "others", file: "internal/read/jsonl/jsonl.go", from: "if id := named(idName, text, number); id != r.o.Text {", to: "if id := named(idName, text); id != r.o.Text {", why: "ids that are numbers are lost"},
		{area: "others", file: "internal/synth/realism.go", from: "case r.AUC < distinct && (r.AUC <= alike || !clear):", to: "case r.AUC < distinct && (r.AUC <= alike || clear):", why: "records that are clearly other differ a little"},
		{area: "others", file: "internal/read/texts/names.go", from: "if len(out) == 0 || !slices.ContainsFunc(out, func(f string) bool { return f != out[0] }) {", to: "if len(out) == 0 {", why: "texts of one folder get a column that says the same of all"},
		{area: "others", file: "internal/read/mtx/file.go", from: "if f.head.symmetry != general && f.i != f.j {", to: "if f.head.symmetry != general {", why: "the diagonal of a symmetric matrix counts twice"},
		{area: "others", file: "internal/synth/realism_discriminator.go", from: "if g == f {", to: "if g == f+1 {", why: "the records of the wrong fold are scored"},
		{area: "others", file: "report/ring.go", from: "case ring == Inside && limit > 0:", to: "case ring == Inside && limit > 1000:", why: "counts that are masked are said to be all there"},
		{area: "others", file: "internal/regress/newton.go", from: "if largest <= s.Tolerance {", to: "if largest <= 1000*s.Tolerance {", why: "a regression stops before it has converged"},
		{area: "others", file: "internal/inspect/bounds.go", from: "if kind != record.Presence {", to: "if kind == record.Presence {", why: "bounds of documents take a model that mixes"},
		{area: "others", file: "internal/read/uci/vocab.go", from: "if n := len(words) + more; n != width {", to: "if n := len(words) + more; n < width {", why: "a vocabulary that is longer than expected goes unsaid"},
		{area: "others", file: "internal/container/container.go", from: "if len(data) < fixed+sha256.Size {", to: "if false {", why: "a file that is cut off at its head stops the program"},
		{area: "others", file: "internal/spread/lead.go", from: "const tries = 3", to: "const tries = 1", why: "a piece that is lost once stops the fit"},
	}
}
