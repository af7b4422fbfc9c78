package simd

// Module returns the module: it imports the memory "go" "mem" and exports Names.
func Module() []byte {
	var m module
	g8, g4, g2, g1 := m.tiles((*code).gatherTile)
	s8, s4, s2, s1 := m.tiles((*code).scatterTile)
	m.export("gather", spread(g8, g4, g2, g1))
	m.export("scatter", spread(s8, s4, s2, s1))
	m.export("softmax", softmax())
	m.export("exps", exps())
	m.export("logs", logs())
	m.export("rates", rates())
	m.export("inside", inside())
	m.export("gemm", gemm(m.add(gemmTile(8)), m.add(gemmTile(4)), m.add(gemmTile(2)), m.add(gemmTile(1))))
	m.export("curves", curves())
	m.export("shifts", shifts())
	return m.bytes()
}

// module holds the functions while they are written.
type module struct {
	list  []*code
	names []string
	which []int
}

func (m *module) add(c *code) int { m.list = append(m.list, c); return len(m.list) - 1 }

func (m *module) export(name string, c *code) {
	m.names, m.which = append(m.names, name), append(m.which, m.add(c))
}

// tiles adds the functions of a product for 8, 4, 2 and 1 columns: each with ones
// for values, then, one number higher, with values.
func (m *module) tiles(body func(c *code, columns int, valued bool)) (a8, a4, a2, a1 int) {
	one := func(columns int) int {
		var first int
		for i, valued := range []bool{false, true} {
			c := function(7)
			body(c, columns, valued)
			if at := m.add(c); i == 0 {
				first = at
			}
		}
		return first
	}
	return one(8), one(4), one(2), one(1)
}

// bytes writes the module in the binary format, section by section.
func (m *module) bytes() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content []byte) {
		out = append(unsigned(append(out, id), uint64(len(content))), content...)
	}
	count := func(n int) []byte { return unsigned(nil, uint64(n)) }
	name := func(b []byte, s string) []byte { return append(unsigned(b, uint64(len(s))), s...) }

	types, uses, codes := count(len(m.list)), count(len(m.list)), count(len(m.list))
	for i, c := range m.list {
		types = append(unsigned(append(types, 0x60), uint64(len(c.args))), c.args...)
		types = append(unsigned(types, uint64(len(c.gives))), c.gives...)
		uses = unsigned(uses, uint64(i))
		body := unsigned(nil, uint64(len(c.locals)))
		for _, kind := range c.locals {
			body = append(body, 1, kind)
		}
		body = append(append(body, c.body...), 0x0b)
		codes = append(unsigned(codes, uint64(len(body))), body...)
	}
	exports := count(len(m.names))
	for i, n := range m.names {
		exports = unsigned(append(name(exports, n), 0), uint64(m.which[i]))
	}
	section(1, types)
	section(2, append(name(name(count(1), "go"), "mem"), 2, 0, 1)) // a memory of one page at least
	section(3, uses)
	section(7, exports)
	section(10, codes)
	return out
}
