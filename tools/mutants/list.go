package main

import "slices"

// mutant is a small wrong change.
type mutant struct {
	area, file string
	from, to   string   // from is in the file once
	why        string   // what a user would see
	packages   []string // whose tests are asked; nil: those of the file
	run        string   // which of them; "": all
	same       string   // why no test can notice it: the result is the same
}

// list has the changes of all areas.
func list() []mutant {
	return slices.Concat(ofRules(), ofFamilies(), ofMasking(), ofVerdict(), ofMethod(), ofData(), ofLaws(), ofUses(), ofFresh(), ofSurvivors())
}

// ofRules has rules that once were found held by no test.
func ofRules() []mutant {
	health := []string{"./cmd/moiety"}
	return []mutant{
		{area: "explain", file: "internal/explain/compare_share.go", from: "const roomy = 2", to: "const roomy = 0", why: "sums of a shared comparison tell small cells"},
		{area: "explain", file: "internal/explain/compare_share.go", from: "if f.only[0].Masked() || f.only[1].Masked() {", to: "if f.only[0].Masked() && f.only[1].Masked() {", why: "few strangers of one side follow from those of the other"},
		{area: "explain", file: "internal/explain/encoded.go", from: "func (g Gate) small(n int) bool { return n > 0 && n < g.Limit }", to: "func (g Gate) small(n int) bool { return n > 1 && n < g.Limit }", why: "single people are counted", packages: []string{"./internal/explain", "./cmd/moiety"}, run: "Gate|Encoded|Small|Health"},
		{area: "explain", file: "internal/explain/encoded.go", from: "if rare && n.Masked() {", to: "if rare && false {", why: "rare codes are named", run: "ByHand|Gate"},
		{area: "explain", file: "internal/explain/ring.go", from: "const leastUnit = 10", to: "const leastUnit = 1", why: "shared counts of small data are exact"},
		{area: "evaluate", file: "internal/evaluate/cooccur.go", from: "case small(*both):", to: "case false:", why: "eval tells how few share two diagnoses"},
		{area: "evaluate", file: "internal/evaluate/cooccur.go", from: "case small(n):", to: "case false:", why: "eval tells how few have a diagnosis"},
		{area: "evaluate", file: "internal/evaluate/cooccur.go", from: "case small(c.documents - n):", to: "case false:", why: "eval tells how few lack a diagnosis"},
		{area: "cmd", file: "cmd/moiety/eval.go", from: "if c.Masked() {\n\t\t\treturn out", to: "if c.Masked() && false {\n\t\t\treturn out", why: "eval tells how few died", packages: health, run: "TestHealthMeasures"},
		{area: "cmd", file: "cmd/moiety/exit.go", from: "errors.As(err, &u), errors.As(err, &v), ", to: "errors.As(err, &u), errors.As(err, &v) && false, ", why: "a model that does not suit is exit 1", packages: health, run: "TestBadInput"},
		{area: "cmd", file: "cmd/moiety/help.go", from: "if len(args) == 0 || args[0]", to: "if len(args) < 0 || len(args) > 0 && args[0]", why: "a command without arguments breaks or keeps memory", packages: health, run: "TestNothingIsKept"},
		{area: "run", file: "internal/run/clean.go", from: "return err == nil && !durable.Unused(lock)", to: "return err != nil && false", why: "a fit removes the folder of another that goes on", run: "Leftovers"},
		{area: "run", file: "internal/run/clean.go", from: "isStage(files, temp) && files.RemoveAll(temp) == nil {", to: "isStage(files, temp) {", why: "folders with records stay, and are said to be gone", run: "Leftovers"},
		{area: "run", file: "internal/fit/order.go", from: "case o.MinCell == 0 && health:", to: "case o.MinCell == 0 && !health:", why: "health data are not masked", packages: health, run: "TestHealthIsKept"},
		{area: "durable", file: "internal/durable/file.go", from: "\tif err := p.Sync(); err != nil {\n\t\treturn err\n\t}\n", to: "", why: "a power cut empties a file that was acknowledged"},
		{area: "durable", file: "internal/durable/file.go", from: "return p.fs.SyncDir(filepath.Dir(p.path))", to: "return nil", why: "a power cut takes the name of a file that was acknowledged"},
		{area: "outfile", file: "internal/outfile/place.go", from: "case !p.ours:", to: "case false:", why: "a file of the user is replaced"},
		{area: "pass", file: "pass/steady.go", from: "for _, x := range list[:k] {", to: "for _, x := range list {", why: "more records are drawn than asked for", run: "Steady"},
		{area: "pass", file: "pass/steady.go", from: "nthRandom(e.content, uint64(j))", to: "nthRandom(e.content, uint64(j)&0)", why: "equal records are drawn together or not at all", run: "Steady"},
		{area: "read", file: "internal/read/delimited/pieces.go", from: "ps.next0.head -= upTo(p.head, ch.Data, p.plan.dialect)", to: "ps.next0.head = 0", why: "a header in the second chunk becomes a record", run: "Fuzz"},
		{area: "read", file: "internal/parquet/pages.go", from: "if h.checked && crc32.ChecksumIEEE(stored) != uint32(h.crc) {", to: "if false {", why: "a damaged page is read as if it were whole", run: "ChangedBytes"},
	}
}
