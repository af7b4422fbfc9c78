package verdict

import "context"

// A questionnaire asks for several things, each by some questions: five traits by four
// questions each. People then differ along five lines. Two or three lines cannot say so,
// and groups over two lines stand for those that are left. The rival has as many lines as
// such scales are.

// scales tries many lines in the place of groups. Lines are found by how much they
// explain, so that each of those to come adds no more than the third did.
func (j *judge) scales(ctx context.Context) error {
	two, three := candidate{1, twoTrends, noRepeats}, candidate{1, threeTrends, noRepeats}
	top, _ := j.best(func(candidate) bool { return true })
	if top.groups == 1 || j.scores[three] == nil {
		return nil
	}
	more := (manyLines - 3) * (j.against(three, two).Nats + j.left(three))
	if e := j.against(top, three); e.Nats-j.left(three)-more > margin(e.Error) {
		return nil
	}
	_, err := j.tryNear(ctx, candidate{1, manyTrends, noRepeats}, 1)
	return err
}
