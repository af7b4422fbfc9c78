package encode

import (
	"strings"
	"testing"
)

// Sites that take claims and sites that take patients for records do not go together;
// one whose rows do not show what they are goes with either.
func TestUniteUnits(t *testing.T) {
	claims := Offer{Unit: "claim", Names: []string{"a"}}
	patients, silent := claims, claims
	patients.Unit, silent.Unit = "patient", ""
	all, err := Unite([]Offer{silent, claims, silent}, []string{"Oslo", "Bergen", "Tromso"})
	if err != nil || all.Unit != "claim" {
		t.Errorf("unit %q, %v", all.Unit, err)
	}
	_, err = Unite([]Offer{silent, claims, patients}, []string{"Oslo", "Bergen", "Tromso"})
	if err == nil || !strings.Contains(err.Error(), "a record of Tromso is a patient and one of Bergen a claim") || !strings.Contains(err.Error(), "‹unit›") {
		t.Errorf("claims and patients: %v", err)
	}
}
