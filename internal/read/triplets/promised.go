package triplets

import (
	"fmt"

	"github.com/moiety-go/moiety/record"
)

// Promised compares the lines with entries of a file, the last of which is at the given
// place, with those that its header promises.
func Promised(p *record.Problems, file string, last, lines, promised int) error {
	if lines == promised {
		return nil
	}
	wrong := &record.ParseError{File: file, Line: last, Msg: fmt.Sprintf("the header promises %d entries and there are %d; ", promised, lines)}
	if lines > promised {
		wrong.Msg += "the header belongs to another file or lines were added"
		return p.Foremost(wrong)
	}
	wrong.Msg += "it is probably cut off"
	return p.CutOff(wrong, lines, promised)
}
