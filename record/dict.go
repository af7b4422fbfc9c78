package record

// Dict numbers names in order of first appearance.
type Dict struct {
	names  []string
	number map[string]uint32
}

// NewDict returns an empty dictionary.
func NewDict() *Dict { return &Dict{number: make(map[string]uint32)} }

// Add returns the number of name, adding it if it is new.
func (d *Dict) Add(name string) uint32 {
	if n, ok := d.number[name]; ok {
		return n
	}
	return d.append(name)
}

// AddBytes is Add for a name in a buffer; it allocates only for new names.
func (d *Dict) AddBytes(name []byte) uint32 {
	if n, ok := d.number[string(name)]; ok {
		return n
	}
	return d.append(string(name))
}

func (d *Dict) append(name string) uint32 {
	n := uint32(len(d.names))
	d.names = append(d.names, name)
	d.number[name] = n
	return n
}

// Find returns the number of name and whether it is known.
func (d *Dict) Find(name string) (uint32, bool) {
	n, ok := d.number[name]
	return n, ok
}

// Name returns name number n.
func (d *Dict) Name(n uint32) string { return d.names[n] }

// Names returns all names in order; the slice must not be changed.
func (d *Dict) Names() []string { return d.names }

// Len returns the number of names.
func (d *Dict) Len() int { return len(d.names) }
