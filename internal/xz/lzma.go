package xz

import "errors"

// errData is an error of the compressed bytes themselves.
var errData = errors.New("the compressed data contradict themselves")

// Sizes of the model of LZMA: states, positions, lengths and distances.
const (
	numStates     = 12
	maxPosBits    = 4
	lenLow        = 8
	lenHigh       = 256
	numLenToPos   = 4
	endPosModel   = 14
	numFullDist   = 1 << (endPosModel / 2)
	numAlignBits  = 4
	minMatch      = 2
	probInit      = 1024
	literalCoders = 0x300
)

// coder is the range decoder: a number in a range that every bit narrows.
type coder struct {
	data []byte // of the chunk at hand
	at   int
	rng  uint32
	code uint32
	bad  bool // the data end too early
}

func (c *coder) begin(data []byte) bool {
	if len(data) < 5 || data[0] != 0 {
		return false
	}
	c.data, c.at, c.rng, c.code, c.bad = data, 5, 0xffffffff, 0, false
	for _, b := range data[1:5] {
		c.code = c.code<<8 | uint32(b)
	}
	return true
}

func (c *coder) normalize() {
	if c.rng < 1<<24 {
		c.rng <<= 8
		b := byte(0)
		if c.at < len(c.data) {
			b = c.data[c.at]
		} else {
			c.bad = true
		}
		c.at++
		c.code = c.code<<8 | uint32(b)
	}
}

func (c *coder) bit(p *uint16) int {
	c.normalize()
	bound := c.rng >> 11 * uint32(*p)
	if c.code < bound {
		c.rng = bound
		*p += (2048 - *p) >> 5
		return 0
	}
	c.rng -= bound
	c.code -= bound
	*p -= *p >> 5
	return 1
}

// direct reads n bits that are equally likely.
func (c *coder) direct(n int) (x uint32) {
	for range n {
		c.normalize()
		c.rng >>= 1
		c.code -= c.rng
		t := 0 - c.code>>31 // all ones where the bit is 0
		c.code += c.rng & t
		x = x<<1 + t + 1
	}
	return x
}

// tree reads n bits, the highest first, each by the probability of those before.
func (c *coder) tree(probs []uint16, n int) int {
	m := 1
	for range n {
		m = m<<1 | c.bit(&probs[m])
	}
	return m - 1<<n
}

// reverse reads n bits, the lowest first.
func (c *coder) reverse(probs []uint16, n int) (x int) {
	m := 1
	for i := range n {
		b := c.bit(&probs[m])
		m = m<<1 | b
		x |= b << i
	}
	return x
}

// lengths are the probabilities of the length of a match.
type lengths struct {
	choice [2]uint16
	low    [1 << maxPosBits][lenLow]uint16
	mid    [1 << maxPosBits][lenLow]uint16
	high   [lenHigh]uint16
}

func (l *lengths) reset() {
	fill(l.choice[:])
	for i := range l.low {
		fill(l.low[i][:])
		fill(l.mid[i][:])
	}
	fill(l.high[:])
}

func (l *lengths) read(c *coder, pos int) int {
	if c.bit(&l.choice[0]) == 0 {
		return c.tree(l.low[pos][:], 3)
	}
	if c.bit(&l.choice[1]) == 0 {
		return lenLow + c.tree(l.mid[pos][:], 3)
	}
	return 2*lenLow + c.tree(l.high[:], 8)
}

func fill(p []uint16) {
	for i := range p {
		p[i] = probInit
	}
}

// model is the state of LZMA between symbols.
type model struct {
	lc, lp, pb int
	state      int
	rep        [4]uint32

	literal   []uint16
	isMatch   [numStates][1 << maxPosBits]uint16
	isRep     [numStates]uint16
	isRepG0   [numStates]uint16
	isRepG1   [numStates]uint16
	isRepG2   [numStates]uint16
	isRep0Lng [numStates][1 << maxPosBits]uint16
	slot      [numLenToPos][64]uint16
	special   [1 + numFullDist - endPosModel]uint16
	align     [1 << numAlignBits]uint16
	match     lengths
	again     lengths
}

// properties sets lc, lp and pb from their byte; false where it makes no sense.
func (m *model) properties(b byte) bool {
	if b >= 9*5*5 {
		return false
	}
	m.lc, m.lp, m.pb = int(b%9), int(b/9%5), int(b/45)
	if m.lc+m.lp > 4 {
		return false
	}
	m.literal = make([]uint16, literalCoders<<(m.lc+m.lp))
	return true
}

func (m *model) reset() {
	m.state, m.rep = 0, [4]uint32{}
	fill(m.literal)
	for i := range numStates {
		fill(m.isMatch[i][:])
		fill(m.isRep0Lng[i][:])
	}
	for _, p := range [][]uint16{m.isRep[:], m.isRepG0[:], m.isRepG1[:], m.isRepG2[:], m.special[:], m.align[:]} {
		fill(p)
	}
	for i := range m.slot {
		fill(m.slot[i][:])
	}
	m.match.reset()
	m.again.reset()
}

// decode makes size bytes of the chunk into the window.
func (m *model) decode(c *coder, w *window, size int) error {
	end := w.total + int64(size)
	for w.total < end && !c.bad {
		pos := int(w.total) & (1<<m.pb - 1)
		if c.bit(&m.isMatch[m.state][pos]) == 0 {
			m.letter(c, w)
			continue
		}
		n, ok := m.repeat(c, w, pos)
		if !ok {
			return errData
		}
		if n > 0 && (w.total+int64(n) > end || !w.copyBack(int(m.rep[0])+1, n)) {
			return errData
		}
	}
	if c.bad {
		return errData
	}
	return nil
}

// letter reads one byte as it is, by the byte before and, after a match, by the
// byte that would have gone on with it.
func (m *model) letter(c *coder, w *window) {
	at := (int(w.total)&(1<<m.lp-1))<<m.lc + int(w.back(1))>>(8-m.lc)
	probs := m.literal[literalCoders*at : literalCoders*(at+1)]
	s := 1
	if m.state >= 7 {
		match := int(w.back(int(m.rep[0]) + 1))
		for s < 0x100 {
			match <<= 1
			b := match & 0x100
			bit := c.bit(&probs[0x100+b+s])
			s = s<<1 | bit
			if b>>8 != bit {
				break
			}
		}
	}
	for s < 0x100 {
		s = s<<1 | c.bit(&probs[s])
	}
	w.put(byte(s))
	switch {
	case m.state < 4:
		m.state = 0
	case m.state < 10:
		m.state -= 3
	default:
		m.state -= 6
	}
}

// repeat reads a match: its length, with the distance in rep[0].
func (m *model) repeat(c *coder, w *window, pos int) (n int, ok bool) {
	after := func(short, long int) {
		if m.state < 7 {
			m.state = short
		} else {
			m.state = long
		}
	}
	if c.bit(&m.isRep[m.state]) == 0 {
		m.rep[3], m.rep[2], m.rep[1] = m.rep[2], m.rep[1], m.rep[0]
		n = m.match.read(c, pos)
		after(7, 10)
		m.rep[0] = m.distance(c, n)
		return n + minMatch, m.rep[0] != 0xffffffff && int64(m.rep[0]) < w.total
	}
	if c.bit(&m.isRepG0[m.state]) == 0 {
		if c.bit(&m.isRep0Lng[m.state][pos]) == 0 {
			after(9, 11)
			return 1, true
		}
	} else {
		d := m.rep[1]
		if c.bit(&m.isRepG1[m.state]) == 1 {
			if d = m.rep[2]; c.bit(&m.isRepG2[m.state]) == 1 {
				d, m.rep[3] = m.rep[3], m.rep[2]
			}
			m.rep[2] = m.rep[1]
		}
		m.rep[1], m.rep[0] = m.rep[0], d
	}
	n = m.again.read(c, pos)
	after(8, 11)
	return n + minMatch, true
}

func (m *model) distance(c *coder, n int) uint32 {
	slot := c.tree(m.slot[min(n, numLenToPos-1)][:], 6)
	if slot < 4 {
		return uint32(slot)
	}
	bits := slot>>1 - 1
	d := uint32(2|slot&1) << bits
	if slot < endPosModel {
		return d + uint32(c.reverse(m.special[int(d)-slot:], bits))
	}
	return d + c.direct(bits-numAlignBits)<<numAlignBits + uint32(c.reverse(m.align[:], numAlignBits))
}
