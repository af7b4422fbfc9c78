package codes

import "testing"

// Concepts have their check digit; one digit changed, or two exchanged, and they are none.
func TestConcepts(t *testing.T) {
	for _, v := range []string{"73211009", "38341003", "13645005", "49436004", "195967001", "404684003", "138875005", "22298006"} {
		if !isConcept(v) {
			t.Errorf("%s is a concept", v)
		}
	}
	for _, v := range []string{"73211008", "37211009", "38341013", "12345678", "20200101", "7321100", "428", "073211009", "7321100x"} {
		if isConcept(v) {
			t.Errorf("%s is none", v)
		}
	}
	if e := Evidence([]string{"73211009", "38341003", "13645005"}); e < 8 {
		t.Errorf("three concepts weigh %v", e)
	}
	if e := Evidence([]string{"5-470.11", "8-930", "1-632.0", "5-787.0b"}); e < 8 {
		t.Errorf("four procedures weigh %v", e)
	}
	if e := Evidence([]string{"10000001", "10000002", "10000003", "10000004"}); e > 0 {
		t.Errorf("numbers of patients weigh %v", e)
	}
}
