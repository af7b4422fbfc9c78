// Package source opens inputs: a file, several, a glob, a folder, standard
// input; plain, gzip or zstd, told apart by their first bytes; in UTF-8,
// UTF-16 or Windows-1252. It gives bytes or clean UTF-8 text and cuts them
// into chunks at line ends, so that readers of every format share one door.
//
// Nothing here holds a whole input: a hostile file (an archive that grows a
// thousandfold, a line without end, binary noise) ends with a typed error
// within bounded memory.
//
// Step in the flow: source -> read/* -> record. It is on floor 4, below the
// formats of floor 5, which do not know each other. It must not know what a
// line means.
package source

import (
	"errors"
	"io/fs"

	"github.com/moiety-go/moiety/record"
)

// Errors of inputs that cannot be read as data. They are wrapped with the name
// of the input and a remedy; test with errors.Is. A missing file is
// fs.ErrNotExist.
var (
	ErrEmpty    = errors.New("the input is empty")
	ErrBinary   = errors.New("the input is not text")
	ErrTooLarge = errors.New("the input is too large")
	ErrDamaged  = errors.New("the input is damaged or cut off")
	ErrUnfit    = errors.New("the input holds nothing to learn from")
)

// Unreadable reports whether err says that the data could not be read, as
// opposed to a wrong use of the program or a failing machine.
func Unreadable(err error) bool {
	for _, e := range []error{ErrNoData, ErrEmpty, ErrBinary, ErrTooLarge, ErrDamaged, ErrUnfit, fs.ErrNotExist, fs.ErrPermission} {
		if errors.Is(err, e) {
			return true
		}
	}
	var p *record.ParseError
	return errors.As(err, &p)
}

// IsEmpty reports whether err says that an input is empty.
func IsEmpty(err error) bool { return errors.Is(err, ErrEmpty) }
