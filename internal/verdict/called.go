package verdict

// Called are the words for records and groups of a kind of data.
type Called struct {
	Record, Records string
	Group, Groups   string
	Remedy          string // what may settle an open question
}

// CalledFor returns the words for sequences, documents that mix topics, or any
// other records.
func CalledFor(sequences, mixed bool) Called {
	c := Called{"record", "records", "group", "groups", "More records, or more features a record, may settle it."}
	switch {
	case sequences:
		return Called{"sequence", "sequences", "state", "states", "More sequences, or longer ones, may settle it."}
	case mixed:
		c.Group, c.Groups = "topic", "topics"
	}
	return c
}
