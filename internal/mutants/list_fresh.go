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
		{area: "run", file: "internal/run/assignments.go", from: "slices.Max(group) < 0x80 {", to: "slices.Max(group) < 0x180 {", why: "groups above 127 are written as others"},
		{area: "encode", file: "internal/encode/choose.go", from: "const enough = 0.25 //", to: "const enough = 2.5 //", why: "full tables are kept as sparse rows", same: "rows hold the same numbers in either form, and every fit gives the same groups"},
		{area: "encode", file: "internal/encode/choose.go", from: "if e.stats.df[t] > 0 || e.stats.missing[t] > 0 || e.s.KeepUnused {", to: "if e.stats.df[t] > 0 || e.s.KeepUnused {", why: "a column whose values are all missing is dropped without a word"},
		{area: "encode", file: "internal/encode/choose.go", from: "if e.schema.Sparse && e.stats.stored[t] < e.stats.rows {", to: "if false {", why: "the least value of a sparse column is not zero"},
		{area: "read", file: "internal/read/fhir/resource.go", from: "if best < 0 || sys != other && (found == other || sys < found) {", to: "if best < 0 || sys != other && (found == other || sys > found) {", why: "another of several codings is taken"},
		{area: "read", file: "internal/read/delimited/kinds.go", from: "if c.negatives > 0 && c.lowMarks() != nil {", to: "if c.negatives > 0 && false {", why: "-9 and -99 stay values"},
		{area: "read", file: "internal/read/delimited/rolewide.go", from: "c.Distinct >= 5 && c.evidence(o) > sureCodes {", to: "c.Distinct >= 5 && c.evidence(o) > 100*sureCodes {", why: "a column of ICD-9 codes is taken for a measurement"},
		{area: "cmd", file: "cmd/moiety/export.go", from: "if len(three) > 0 && to != \"csv\" && to != \"json\" {", to: "if false {", why: "a three-step table is promised in a form that has none", packages: []string{"./cmd/moiety"}},
		{area: "cmd", file: "cmd/moiety/export.go", from: "if x.guarded > 0 {", to: "if x.guarded < 0 {", why: "cells that were guarded against spreadsheets go unsaid", packages: []string{"./cmd/moiety"}},
	}
}
