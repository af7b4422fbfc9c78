package xz

// window holds the last bytes that were made, in a ring that grows with them up
// to the size that the stream asks for: a claim costs nothing.
type window struct {
	ring  []byte
	limit int   // size that matches may reach back
	total int64 // bytes made since the dictionary was last forgotten
	at    int   // next place
	out   []byte
}

func (w *window) reset() { w.total, w.at = 0, 0 }

func (w *window) put(b byte) {
	if w.at == len(w.ring) {
		if len(w.ring) < w.limit {
			w.grow()
		} else {
			w.at = 0
		}
	}
	w.ring[w.at] = b
	w.at++
	w.total++
	w.out = append(w.out, b)
}

// grow makes the ring larger before it is full once.
func (w *window) grow() {
	const first = 1 << 16
	ring := make([]byte, min(max(2*len(w.ring), first), w.limit))
	copy(ring, w.ring)
	w.ring = ring
}

// back returns the byte that lies n back, 0 where there is none.
func (w *window) back(n int) byte {
	if int64(n) > w.total || n > len(w.ring) {
		return 0
	}
	i := w.at - n
	if i < 0 {
		i += len(w.ring)
	}
	return w.ring[i]
}

// copyBack repeats n bytes that begin d back; false where there are none.
func (w *window) copyBack(d, n int) bool {
	if int64(d) > w.total || d > w.limit {
		return false
	}
	for range n {
		w.put(w.back(d))
	}
	return true
}
