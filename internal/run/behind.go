package run

import (
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
)

// rowWriter writes the rows while the fit goes on: they are final once they are
// encoded, and neither their file nor their fingerprint is needed before the
// groups are there.
type rowWriter struct {
	group par.Group
	// What wait returns.
	seal, fingerprint string
	err               error
}

// keep begins to write the rows of data that are in memory.
func (s *stage) keep(p *fit.Prepared, workers int) {
	k := &rowWriter{}
	s.behind = k
	p.Printed = func() string { return k.wait().fingerprint }
	k.group.Go(func() { k.write(s.files, s.path(rowsFile), p.Set, workers) })
}

func (k *rowWriter) write(files durable.FS, path string, rows dataset.Data, workers int) {
	if k.err = copyRows(files, path, rows, workers); k.err != nil {
		return
	}
	f, err := dataset.Open(path)
	if err != nil {
		k.err = err
		return
	}
	k.seal, k.fingerprint, k.err = f.Seal(), f.Fingerprint(), f.Close()
}

// wait returns when the rows are written, or could not be.
func (k *rowWriter) wait() *rowWriter {
	k.group.Wait()
	return k
}

// await waits for rows that are still being written, before their folder goes.
func (s *stage) await() {
	if s.behind != nil {
		s.behind.wait()
	}
}
