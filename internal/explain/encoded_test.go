package explain_test

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/warn"
)

// What an encoder tells of a hundred records, behind limits of none and of 11:
// few short ones follow from 95, few that lack a feature from the 95 that have
// it, the oldest patient from the range of the ages, and rare codes from what a
// warning says of them.
func TestEncodedByHand(t *testing.T) {
	summary := func() *encode.Summary {
		return &encode.Summary{
			Kept: 100, Short: 95, Empty: 50, UnknownUses: 7,
			Top: []encode.Feature{
				{Name: "age", Records: 100, Measured: &encode.Measured{Mean: 50, Low: 3, High: 99}},
				{Name: "common", Records: 95, Tokens: 95},
				{Name: "half", Records: 50, Tokens: 50},
			},
			Unknown: []encode.Count{{Name: "Q99.9", N: 4}, {Name: "R00", N: 40}},
			Warnings: []warn.Warning{
				warn.New(warn.Note, "unknown-codes", "Look at them, such as Q99.9.", "2 codes are unknown (1.2 %% of all entries).").Counting("Some codes are unknown.", 600, 7, 4),
				warn.New(warn.Note, "in-every-record", "Leave it out.", "Common is in 95 %% of the records.").Counting("Common is in nearly all records.", 100, 95),
				warn.New(warn.Note, "in-every-record", "Leave it out.", "Half is in 50 %% of the records.").Counting("Half is in many records.", 100, 50),
			},
		}
	}
	open, masked := explain.NewGate(true, 0, false, 100).Encoded(summary()), explain.NewGate(true, 11, false, 100).Encoded(summary())
	if open.Short.Masked() || open.Top[1].Records.Masked() || open.Top[0].High.Masked() || !strings.Contains(open.Warnings[0].Text, "1.2 %") {
		t.Errorf("without a limit something is withheld: %+v", open)
	}
	if !masked.Short.Masked() || !masked.Empty.Masked() {
		t.Errorf("short %v and empty %v are told: 5 are not short", masked.Short, masked.Empty)
	}
	if !masked.Top[0].High.Masked() || !masked.Top[0].Low.Masked() || masked.Top[0].Mean.Masked() {
		t.Errorf("age %+v: the oldest is told, or not even the mean", masked.Top[0])
	}
	if !masked.Top[1].Records.Masked() || masked.Top[2].Records.Masked() {
		t.Errorf("95 of 100: %+v; 50 of 100: %+v", masked.Top[1], masked.Top[2])
	}
	shared := explain.NewGate(true, 11, true, 100).Encoded(summary())
	for i, want := range []struct{ inside, shared string }{
		{"Some codes are unknown.", "Some codes are unknown."},
		{"Common is in nearly all records.", "Common is in nearly all records."}, // of 5 it is not
		{"Half is in 50 % of the records. Leave it out.", "Half is in many records."},
	} {
		if got := masked.Warnings[i].String(); got != want.inside {
			t.Errorf("inside the house: %q, want %q", got, want.inside)
		}
		if got := shared.Warnings[i].String(); got != want.shared {
			t.Errorf("to be shared: %q, want %q", got, want.shared)
		}
	}
	if len(masked.Unknown) != 1 || masked.Unknown[0].Name != "R00" {
		t.Errorf("unknown codes told: %+v", masked.Unknown)
	}
	short := summary()
	short.Short, short.Empty = 60, 52
	if got := explain.NewGate(true, 11, false, 100).Encoded(short); !got.Short.Masked() {
		t.Error("60 short, 52 of them empty: 8 follow")
	}
}
