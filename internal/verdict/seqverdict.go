package verdict

import (
	"context"
	"fmt"
)

// verdict puts the claim into words and numbers.
func (j *walkJudge) verdict(ctx context.Context, seen []int) (*Verdict, error) {
	k, best := j.claim(0, 2)
	top, c := j.plainest(best), j.plainest(k)
	v := &Verdict{Groups: k, Range: [2]int{k, best}, Records: j.w.many(), Seen: seen, Plain: true}
	most, _ := j.best(func(c course) bool { return c.memory <= unmoved })
	v.Components = most.states
	one, _ := j.best(func(c course) bool { return j.claims(c) == 1 })
	if k > 1 {
		v.Evidence = j.against(c, one)
		if less, ok := j.best(func(c course) bool { return j.claims(c) == k-1 }); ok {
			e := j.against(c, less)
			v.Fewer = &e
		}
	} else if many, ok := j.best(func(c course) bool { return j.claims(c) > 1 }); ok {
		v.Evidence = j.against(one, many)
	}
	var smallest int
	var err error
	if v.Repeat, smallest, err = j.halves(ctx, k, c.memory >= visible); err != nil {
		return nil, err
	}
	lost := k > 1 && v.Repeat < foundAgain
	if lost {
		c, k = j.plainest(1), 1
		v.Groups, v.Range[0], v.Fewer = 1, 1, nil
	}
	if k > 1 && c.memory >= visible {
		v.Shown = j.things
	}
	v.Continuum = c.memory.word()
	v.Reason = j.reason(c, k)
	j.doubts(v, c, top, smallest, lost)
	v.Sure = v.Records >= sureWalks && v.Range[0] == v.Range[1] && !v.unsteady() && !v.doubted(AtLimit)
	v.round()
	return v, nil
}

// sureWalks is the number of sequences below which nothing is sure.
const sureWalks = 100

// parts returns the numbers of states that two parts of the sequences kept aside
// would claim, each alone.
func (j *walkJudge) parts() (out [2]int) {
	for half := range out {
		out[half], _ = j.claim(half, half+1)
	}
	return out
}

// doubts lists what speaks against the claim.
func (j *walkJudge) doubts(v *Verdict, c, top course, smallest int, lost bool) {
	add := func(code, text string, args ...any) {
		v.Against = append(v.Against, Doubt{code, fmt.Sprintf(text, args...)})
	}
	low, high := v.Range[0], v.Range[1]
	switch {
	case lost:
		add(NotRepeated, "There is something beyond that, but two halves of the sequences do not agree on it at all: states cannot be told.")
	case low == 1 && high > 1:
		add(TooFew, "Too few sequences to say: anything from 1 to %d states can be defended.", high)
	case low < high:
		add(MoreOrLess, "From %d to %d states can be defended.", low, high)
	}
	if v.Groups > 1 {
		j.steadyDoubts(v, smallest, add)
	}
	if c.memory <= unmoved && top.memory > unmoved && v.Groups > 1 {
		add(OtherMemory, "Sequences are described nearly as well without hidden states: %s.", top.memory.clause())
	}
	if k := j.highest; j.untold || c.memory <= unmoved && c.states == k && k > 1 && k >= mostStates {
		add(AtLimit, "There may be more states: more than %d were not tried.", k)
	}
	if v.Groups == 1 && v.Components > 1 && c.memory != loose && c.memory != hidden {
		add(ByDegree, "%d states are a useful description all the same (-k %d); there is no more to them than that.", v.Components, v.Components)
	}
}

func (j *walkJudge) steadyDoubts(v *Verdict, smallest int, add func(code, text string, args ...any)) {
	again := steady
	if v.Records < fewRecords {
		again = steadyOfFew
	}
	switch {
	case v.Repeat < nearlySteady:
		add(NotRepeated, "Two halves of the sequences do not find the same states (agreement on steps %.2f, where 1 is the same).", v.Repeat)
	case v.Repeat < again:
		add(NotRepeated, "Two halves of the sequences do not find quite the same states (agreement on steps %.2f, where 1 is the same).", v.Repeat)
	}
	switch p := j.parts(); {
	case p[0] == p[1] && p[0] != v.Groups:
		add(Differ, "Either half of the sequences by itself would show %s.", statesOf(p[0]))
	case p[0] != p[1]:
		add(Differ, "Of two halves of the sequences by themselves, one would show %s and the other %d.", statesOf(p[0]), p[1])
	}
	if smallest < leastOfState {
		add(SmallGroup, "So few sequences pass through the smallest state that others of the same kind may not show it.")
	}
}

func statesOf(n int) string {
	if n == 1 {
		return "1 state"
	}
	return fmt.Sprintf("%d states", n)
}

// word names what sequences have besides states.
func (m memory) word() string {
	return [...]string{"none", "stays", "levels", "kept", "kinds of steps", "none", "drift", "level", "a line at its own pace", "a line", "rounds", "scatter", "memory", "longer memory", "duration", "habits", "memory and time", "kinds of courses"}[m]
}

// clause says what decides the next step.
func (m memory) clause() string {
	return [...]string{
		"", "", "", "every sequence keeps its state", "a step does not depend on the one before", "a step does not depend on the one before",
		"steps change with time, for all sequences alike", "every sequence has a level of its own",
		"every sequence passes along one line at its own pace, and there are no steps in it",
		"sequences wander along one line, little by little",
		"what steps show comes again after a time, and every sequence begins somewhere in the round",
		"what is measured scatters more in some sequences, or at some times, by degrees",
		"what comes next depends on what the last step shows", "what comes next depends on the last two or three steps",
		"what comes next depends on what the last step shows and for how long it has been so",
		"every sequence has its own way from step to step", "what comes next depends on the last step and on the time",
		"sequences are of a few kinds, and each kind has its own way from what a step shows to the next",
	}[m]
}

// reason says why in one or two plain sentences.
func (j *walkJudge) reason(c course, k int) string {
	switch {
	case k > 1 && c.memory == hidden:
		return fmt.Sprintf("Sequences that were kept aside are described better by %d states that follow each other than without states.", k)
	case k > 1 && c.memory == staying:
		return fmt.Sprintf("Sequences that were kept aside are described better by %d states, each of which lasts for a time of its own, than without states.", k)
	case k > 1 && c.memory == levelled:
		return fmt.Sprintf("Sequences that were kept aside are described better by %d states than without states. In all of them some sequences have more of everything.", k)
	case k > 1 && c.memory == unmoved:
		return fmt.Sprintf("Sequences fall into %d kinds. No sequence moves from one state to another: the states are kinds of sequences, not times in them.", k)
	case k > 1 && c.memory == kindred:
		return fmt.Sprintf("Nothing is hidden in time: %s (--courses tells them apart). Each of the %d things that steps show is a state.", c.memory.clause(), k)
	case k > 1:
		return fmt.Sprintf("Nothing is hidden: %s, and each of the %d things that steps show is a state.", c.memory.clause(), k)
	case c.memory == forgetful:
		return fmt.Sprintf("No states in time: steps are of %d kinds, but which kind comes next does not depend on the kind now.", c.states)
	case c.memory == visible && j.kind == measured:
		return "No states: what is measured changes little by little, and there are no kinds of steps with a gap between them."
	case c.memory == visible && j.kind == sets:
		return "No states: things come again from step to step, each by itself."
	case c.memory == habits && j.kind == sets:
		return "No states: things come again from step to step, each by itself, and sequences differ in how many they have."
	case c.memory == ownLevel && j.kind == sets:
		return "No states: sequences differ in how many things they have, not in which."
	}
	return fmt.Sprintf("No states: %s.", loosely(c.memory).clause())
}

// loosely is one hidden state: steps by themselves.
func loosely(m memory) memory {
	if m == hidden || m == unmoved {
		return loose
	}
	return m
}
