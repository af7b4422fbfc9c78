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
func (s *stage) keep(p *Prepared) {
	k := &rowWriter{}
	s.behind, p.kept = k, k
	k.group.Go(func() { k.write(s.files, s.path(rowsFile), p.Result.Data) })
}

func (k *rowWriter) write(files durable.FS, path string, rows *dataset.Dataset) {
	if k.err = copyRows(files, path, rows); k.err != nil {
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

// Fingerprint identifies the content. Where the rows are being written it is the
// writer's, who makes it on the way.
func (p *Prepared) Fingerprint() string {
	if p.kept != nil {
		if k := p.kept.wait(); k.err == nil {
			return k.fingerprint
		}
	}
	return p.Result.Fingerprint()
}

// unmade stands for a fingerprint that is still being made.
const unmade = "being made"

// identify says which data the groups are of, where the fit said that it is still
// being made; a private model says nothing of it.
func identify(out *fit.Outcome, fingerprint string) {
	if out.Model != nil && out.Model.Provenance.Data == unmade {
		out.Model.Provenance.Data = fingerprint
	}
	if out.Tree != nil && out.Tree.Provenance.Data == unmade {
		out.Tree.Provenance.Data = fingerprint
	}
}
