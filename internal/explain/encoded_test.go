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
			Unknown:  []encode.Count{{Name: "Q99.9", N: 4}, {Name: "R00", N: 40}},
			Warnings: []warn.Warning{{Text: "Some codes are unknown (1.2 % of all entries).", Remedy: "Look at them, such as Q99.9, such as R00"}},
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
	if w := masked.Warnings[0]; strings.Contains(w.Text, "%") || strings.Contains(w.Remedy, "Q99.9") || !strings.Contains(w.Remedy, "R00") {
		t.Errorf("of 7 uses, 4 of one code, is said: %+v", w)
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

// A code that may be another is named where at least as many entries have it as the
// limit; the number of all entries, which would tell the rest, goes with the rare ones.
func TestDoubtfulCodesAreNoRareNames(t *testing.T) {
	const text = "The codes lost their leading zeros: 845 may be 845 or 008.45 (1,125 entries), 10 may be 010 or 001.0 (1 entry), 42 may be 042 or 004.2 (9 entries), and 2 more, 1,140 entries in all. These cannot be told apart and stay as they are."
	for said, list := range map[string]string{
		"845 may be 845 or 008.45 (1,125 entries), some rare ones may be one code or another. These cannot": text,
		"zeros: some rare ones may be one code or another. These cannot":                                    strings.ReplaceAll(text, "1,125", "5"),
		"845 may be 845 or 008.45 (20 entries). These cannot":                                               "The codes lost their leading zeros: 845 may be 845 or 008.45 (20 entries). These cannot be told apart.",
	} {
		s := &encode.Summary{Kept: 2000, Warnings: []warn.Warning{{Code: encode.ZerosUnclear, Text: list}}}
		got := explain.NewGate(true, 11, false, 2000).Encoded(s).Warnings[0].Text
		if !strings.Contains(got, said) || strings.Contains(got, "(1 entry)") || strings.Contains(got, " 42 ") || strings.Contains(got, "in all") {
			t.Errorf("said %q, want %q", got, said)
		}
		if open := explain.NewGate(true, 0, false, 2000).Encoded(s).Warnings[0].Text; open != list {
			t.Errorf("without a limit: %q", open)
		}
	}
}
