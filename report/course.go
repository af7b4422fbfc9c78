package report

// Course is a kind of sequences, by how they pass through the states.
type Course struct {
	ID    string `json:"id"`    // "1", "2", ... by falling share
	N     Count  `json:"n"`     // sequences put into it
	Share Number `json:"share"` // of all sequences
	Words string `json:"words"` // what it does, in words
	// From are the states that may be reported, each with its moves.
	From []CourseFrom `json:"from"`
}

// CourseFrom tells where a course goes from a state.
type CourseFrom struct {
	State string `json:"state"`
	Start Number `json:"start"` // chance that a sequence begins here
	Time  Number `json:"time"`  // share of the steps
	Moves []Move `json:"moves"` // in the order of the states
}
