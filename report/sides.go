package report

// SideColumn is a side column, which no fit sees, by group: what else is known
// of the records put into each.
type SideColumn struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "number", "answer"
	// Parts are the groups in their order, All is the whole. A part that may not
	// be read is empty.
	Parts []SidePart `json:"parts"`
	All   SidePart   `json:"all"`
	// Test is the test of differences between groups, P its p-value and Adjusted
	// that after Holm's correction for all side columns.
	Test     string `json:"test"`
	P        Number `json:"p"`
	Adjusted Number `json:"adjusted"`
	// Used says that the groups were made from a column of this name: then a
	// difference says nothing.
	Used bool `json:"used"`
	// Named says that the column was asked for by its name: it is reported first.
	Named bool `json:"named"`
	// Withheld says that no part may be read.
	Withheld bool `json:"withheld"`
}

// SidePart is a side column in one group.
type SidePart struct {
	N          Count       `json:"n"` // records with a value
	Mean       Number      `json:"mean"`
	SD         Number      `json:"sd"`
	Median     Number      `json:"median"`
	Low        Number      `json:"low"` // 95 % interval of the mean
	High       Number      `json:"high"`
	Difference Number      `json:"difference"` // from all other records, in standard deviations
	Levels     []SideLevel `json:"levels"`     // of answers, in the order of All
}

// SideLevel is one answer of a side column in a group.
type SideLevel struct {
	Name       string `json:"name"`
	Count      Count  `json:"count"`
	Share      Number `json:"share"`
	Low        Number `json:"low"` // 95 % interval of Share (Wilson)
	High       Number `json:"high"`
	Difference Number `json:"difference"` // from all other records, in standard deviations
}

// Kinds of side columns.
const (
	SideNumber = "number"
	SideAnswer = "answer"
)
