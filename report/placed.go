package report

// Placed says where every row of the records belongs: records of people, which no
// limit on small cells reaches.
type Placed struct {
	Group       []int32   // of every row: its group proper, from 0
	Probability []float32 // of every row: how sure that is
}
