package family

// Question is a run of features [From, To) of which a record has one at the
// most: the answers. A record without any did not answer.
type Question struct {
	From, To int
	// Presence says that the run is one feature, which a record has or has not:
	// two answers, of which the absence is stored nowhere.
	Presence bool
}

// Answers returns the number of answers.
func (q Question) Answers() int {
	if q.Presence {
		return 2
	}
	return q.To - q.From
}

// Questioned is a Family of records that answer questions, independently of
// each other given the component, and whose centers are the probabilities of
// the answers: latent class analysis.
type Questioned interface {
	// Questions returns the questions of records of dim features, in order and
	// without a gap; nil where some features are no answers.
	Questions(dim int) []Question
}

// QuestionsOf returns the questions of a family, or nil where it has none.
func QuestionsOf(f Family, dim int) []Question {
	if q, ok := f.(Questioned); ok {
		return q.Questions(dim)
	}
	return nil
}
