package pattern

import "testing"

// A pattern costs nothing until it is asked; one that is no expression is found by
// Compile.
func TestCompiledWhenAsked(t *testing.T) {
	p := New(`^a(b+)$`)
	if p.expr != nil {
		t.Fatal("compiled before it was asked")
	}
	if got := p.FindStringSubmatch("abb"); len(got) != 2 || got[1] != "bb" || p.expr == nil {
		t.Fatalf("found %q", got)
	}
	New(`(`)
	defer func() {
		all = nil
		if recover() == nil {
			t.Fatal("what is no expression was not found")
		}
	}()
	Compile()
}
