package run

import (
	"io"
	"sync"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
)

// rowWriter writes the rows while the fit goes on: they are final once they are
// encoded, and neither their file nor their fingerprint is needed before the
// groups are there. The other files of the run are written while the system takes
// the rows to the disk.
type rowWriter struct {
	group par.Group
	// Known once made is closed: the rows are written, or could not be.
	made              chan struct{}
	tell              func() // closes it, once
	seal, fingerprint string
	err               error // what wait returns
}

// keep begins to write the rows of data that are in memory.
func (s *stage) keep(p *fit.Prepared, workers int) {
	k := &rowWriter{made: make(chan struct{})}
	k.tell = sync.OnceFunc(func() { close(k.made) })
	s.behind = k
	p.Printed = func() string {
		<-k.made
		return k.fingerprint
	}
	k.group.Go(func() {
		defer k.tell() // whatever happens
		k.err = k.write(s.files, s.path(rowsFile), p.Set, workers)
	})
}

func (k *rowWriter) write(files durable.FS, path string, rows dataset.Data, workers int) error {
	return copyRows(files, path, rows, workers, func(written string, err error) error {
		defer k.tell()
		if err != nil {
			return err
		}
		f, err := dataset.Open(written)
		if err != nil {
			return err
		}
		k.seal, k.fingerprint = f.Seal(), f.Fingerprint()
		return f.Close()
	})
}

// wait returns when the rows are on the disk, or could not be brought there.
func (k *rowWriter) wait() *rowWriter {
	k.group.Wait()
	return k
}

// place writes a file of the folder, and has it brought to the disk and to its place while others
// are written: settled tells whether it is there.
func (s *stage) place(name string, write func(io.Writer) error) error {
	file, err := durable.NewPending(s.files, s.path(name), secret)
	if err != nil {
		return err
	}
	written := false
	defer func() {
		if !written { // an error, or a panic
			file.Abandon()
		}
	}()
	if err := write(file); err != nil {
		return err
	}
	written = true
	s.placing.Go(func() {
		defer file.Abandon()
		if err := file.Place(); err != nil {
			s.failed.CompareAndSwap(nil, &err)
		}
	})
	return nil
}

// settled waits for the files that place has.
func (s *stage) settled() error {
	s.placing.Wait()
	if err := s.failed.Load(); err != nil {
		return s.unwritable(*err)
	}
	return nil
}

// await waits for all that is still being written, before the folder goes.
func (s *stage) await() {
	if s.behind != nil {
		s.behind.wait()
	}
	s.placing.Wait()
}
