package agree_test

import (
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
)

// A table that was counted by others tells what the labels tell.
func TestCounted(t *testing.T) {
	a, b := []int{0, 0, 2, 2, 2, 3, 0}, []int{1, 1, 0, 0, 4, 4, 4}
	count := make([][]int, 5) // label 1 and 4 of a, 2 and 3 of b are nobody's
	for i := range count {
		count[i] = make([]int, 5)
	}
	for i := range a {
		count[a[i]][b[i]]++
	}
	want, err := agree.Cross(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if got := agree.Counted(count); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
