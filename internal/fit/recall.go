package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/moiety-go/moiety/internal/verdict"
)

// Recall keeps the last verdict, so that who has asked whether records are enough does
// not wait for the same answer again when groups are looked for. It travels in the
// context, as progress does. The zero value keeps nothing yet.
type Recall struct {
	mu   sync.Mutex
	of   string
	last *verdict.Verdict
}

type recallKey struct{}

type recalling struct {
	kept *Recall
	of   string
}

// Recalling returns a context in which verdicts on the named records are kept and
// recalled; the name tells everything that makes the records what they are.
func Recalling(ctx context.Context, r *Recall, of string) context.Context {
	return context.WithValue(ctx, recallKey{}, recalling{r, of})
}

// Forget drops what is kept.
func (r *Recall) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of, r.last = "", nil
}

// recalled returns the verdict of before where it was on these records with these
// settings, and makes one where there is none.
func recalled(ctx context.Context, data Training, s Settings, make func() (*verdict.Verdict, error)) (*verdict.Verdict, error) {
	x, ok := ctx.Value(recallKey{}).(recalling)
	if !ok || data.Run == nil || s.Spec.Own != nil {
		return make()
	}
	of := fmt.Sprintf("%s %v %v %d %d %s", x.of, data.Kind, data.Sequences, data.Run.Len(), data.Run.Dim(), s.judging())
	x.kept.mu.Lock()
	v := x.kept.last
	ok = v != nil && x.kept.of == of
	x.kept.mu.Unlock()
	if ok {
		c := *v // who takes it may add to it
		return &c, nil
	}
	v, err := make()
	if err != nil || v == nil {
		return v, err
	}
	c := *v
	x.kept.mu.Lock()
	defer x.kept.mu.Unlock()
	x.kept.of, x.kept.last = of, &c
	return v, nil
}

// judging writes the settings on which a verdict depends: all but the size that was
// asked for, whether one was, and words that mean the same as none.
func (s Settings) judging() string {
	t := s
	t.K, t.Tree, t.Over, t.Courses = 0, TreeShape{}, false, 0
	if t.Spec.IsAuto() {
		t.Spec.Model = ""
	}
	if t.Method == "auto" {
		t.Method = ""
	}
	if t.Refine == EM {
		t.Refine = ""
	}
	text, err := json.Marshal(t)
	if err != nil { // it is of words and numbers, none of them infinite
		return err.Error()
	}
	return fmt.Sprint(s.free(), string(text))
}
