package report

// Trend is how common the groups are over time, or by the values of another side
// column. Of topics that mix, a share is that of the average document.
type Trend struct {
	Column string `json:"column"`
	Kind   string `json:"kind"`  // "time", "answer", "number"
	Every  string `json:"every"` // what a period is: "month", "five years"; empty where it is none of the calendar
	// Finding is what was found, in one sentence.
	Finding string       `json:"finding"`
	Test    string       `json:"test"`
	Places  []TrendPlace `json:"places"` // periods or values, in order
	Groups  []TrendGroup `json:"groups"` // the groups proper, in their order
	// Withheld says that too few records are in some places for anything to be
	// reported.
	Withheld bool `json:"withheld"`
}

// TrendPlace is a period, or a value.
type TrendPlace struct {
	Name string `json:"name"`
	N    Count  `json:"n"`
}

// TrendGroup is a group over the places.
type TrendGroup struct {
	ID     string       `json:"id"`
	Shares []TrendShare `json:"shares"` // of every place
	// P is the p-value of no difference between the places, Adjusted that after
	// Holm's correction for all groups.
	P        Number `json:"p"`
	Adjusted Number `json:"adjusted"`
	// Words are the words of a topic whose share in it changes most over time.
	Words []TrendWord `json:"words"`
}

// TrendShare is a share with its 95 % interval: Wilson's of records, Student's in
// log-odds of topics that mix. It is empty where there is no record.
type TrendShare struct {
	Share Number `json:"share"`
	Low   Number `json:"low"`
	High  Number `json:"high"`
}

// TrendWord is a word of a topic: its share of the words of the topic.
type TrendWord struct {
	Name   string       `json:"name"`
	Title  string       `json:"title"`
	Shares []TrendShare `json:"shares"` // of every period; the interval goes by documents
	Rises  bool         `json:"rises"`
	First  Number       `json:"first"` // share in the first third of the periods
	Last   Number       `json:"last"`  // share in the last third
}
