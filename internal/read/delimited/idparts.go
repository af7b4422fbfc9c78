package delimited

import (
	"context"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
)

// idParts are the ids and sides of records as the parts gave them, one part behind the
// other: nothing is copied while parts are merged, which one core does.
type idParts struct {
	parts  []idPart
	n      int   // ids
	memory int64 // of all parts
}

// idPart is what a part gave; its records are those from one number to another.
type idPart struct {
	ids, side spans
	from, to  int
}

// add takes the ids and sides of a part over.
func (t *idParts) add(p *part, old int) {
	ids, side := p.ids.take(), p.side.take()
	t.n += ids.len() - old
	t.memory += ids.memory() + side.memory()
	t.parts = append(t.parts, idPart{ids, side, old, ids.len()})
}

// idPartsOf makes parts of lists that hold all ids and sides.
func idPartsOf(ids, side spans) (t idParts) {
	const atOnce = 1 << 16
	for from := 0; from < ids.len(); from += atOnce {
		t.parts = append(t.parts, idPart{ids, side, from, min(from+atOnce, ids.len())})
	}
	return t
}

// give returns all ids and the columns of sides, in the memory of the parts; of several
// workers they are there when the group is done. Of millions of them the fresh memory of the
// lists is most of the work, and all cores clear it.
func (t *idParts) give(workers, width int, done *par.Group) (ids []string, side [][]string) {
	parts := t.parts
	first, n := make([]int, len(parts)), 0
	for i, p := range parts {
		first[i] = n
		n += p.to - p.from
	}
	lists := make([][]string, 1+width)
	for c := range lists {
		lists[c] = pages.Make[string](n)
	}
	cut := func() {
		// Nothing ends it and nothing fails.
		_ = par.Apart(context.Background(), workers, len(parts), func(i int) error {
			p, at := &parts[i], first[i]
			p.ids.cutInto(lists[0][at:], p.from, p.to, 1)
			for c := range width {
				p.side.cutInto(lists[1+c][at:], p.from*width+c, p.to*width, width)
			}
			return nil
		})
	}
	if par.Workers(workers) == 1 {
		cut()
	} else {
		done.Go(cut)
	}
	return lists[0], lists[1:]
}

// cutInto sets dst to every so many of the entries from one number to another.
func (s *spans) cutInto(dst []string, from, to, every int) {
	all := s.text()
	for i := from; i < to; i += every {
		dst[0] = all[s.start(i):s.ends[i]]
		dst = dst[1:]
	}
}
