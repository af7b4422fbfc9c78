package show

// Scene is one drawing in units of 1/96 inch, x to the right and y down. The
// same scene becomes an SVG, a PNG or a PDF file (WriteSVG, WritePNG, WritePDF):
// the same bytes each time. A scene is light; inside a page its roles of colour
// follow the page.
type Scene struct {
	ID            string // a name for the drawing inside a page: letters, digits, hyphens
	Width, Height float64
	Title         string // what the drawing found, in one sentence
	Desc          string // the drawing in words, for those who cannot see it
	Marks         []Mark
	Table         Table // the numbers of the drawing, for "show as table"
	theme         Theme
	head          float64 // where the drawing begins below its title, which a page writes itself
}

// Table is a small table of words. The first column names the row.
type Table struct {
	Head []string
	Rows [][]string
}

// Mark is one thing drawn: Box, Rule, Path, Disc, Label or Layer.
type Mark interface{ isMark() }

// Style says how a mark looks. The zero value draws nothing.
type Style struct {
	Fill   Paint
	Stroke Paint
	Width  float64   // of the stroke; 0 means 1
	Dash   []float64 // lengths of dashes and gaps; nil means solid
	Alpha  float64   // 0 means opaque
}

func (s Style) width() float64 {
	if s.Width == 0 {
		return 1
	}
	return s.Width
}

func (s Style) alpha() float64 {
	if s.Alpha == 0 {
		return 1
	}
	return s.Alpha
}

// Box is a rectangle.
type Box struct {
	X, Y, W, H float64
	Round      float64 // radius of the corners
	Style
}

// Rule is a straight line.
type Rule struct {
	X1, Y1, X2, Y2 float64
	Style
}

// Disc is a circle.
type Disc struct {
	X, Y, R float64
	Style
}

// Path is an outline of straight and curved pieces, filled by the non-zero
// rule. All closed parts should turn the same way.
type Path struct {
	Ops []Op
	Style
}

// Op is one piece of a path: 'M' starts a part at P[0], 'L' draws a line to
// P[0], 'C' a cubic curve to P[2] with control points P[0] and P[1], 'Z' closes
// the part.
type Op struct {
	Kind byte
	P    [3]Point
}

// Point is a place in a scene.
type Point struct{ X, Y float64 }

// Move, Draw, Curve and Close return the pieces of a path.
func Move(x, y float64) Op { return Op{Kind: 'M', P: [3]Point{{x, y}}} }

// Draw returns a line to a point.
func Draw(x, y float64) Op { return Op{Kind: 'L', P: [3]Point{{x, y}}} }

// Curve returns a cubic curve to (x, y).
func Curve(x1, y1, x2, y2, x, y float64) Op {
	return Op{Kind: 'C', P: [3]Point{{x1, y1}, {x2, y2}, {x, y}}}
}

// Close returns the end of a closed part.
func Close() Op { return Op{Kind: 'Z'} }

// Anchor says which end of a label its place is.
type Anchor int

// Anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Label is one line of text. Its place is on the base line.
type Label struct {
	X, Y   float64
	Text   string
	Size   float64
	Bold   bool
	Anchor Anchor
	Turn   float64 // degrees clockwise about the place
	Fill   Paint
}

// Layer is marks that belong together. Its title is what a pointer that rests
// on it is reported.
type Layer struct {
	ID    string // within the scene
	Title string
	Marks []Mark
	// Of a page alone: where a click goes, and classes and data for its script.
	Href, Class string
	Data        [][2]string
}

func (Box) isMark()   {}
func (Rule) isMark()  {}
func (Disc) isMark()  {}
func (Path) isMark()  {}
func (Label) isMark() {}
func (Layer) isMark() {}

// Add appends marks.
func (s *Scene) Add(m ...Mark) { s.Marks = append(s.Marks, m...) }

// boxOps returns the outline of a rectangle as a path, clockwise.
func boxOps(x, y, w, h float64) []Op {
	return []Op{Move(x, y), Draw(x+w, y), Draw(x+w, y+h), Draw(x, y+h), Close()}
}

// roundOps returns the outline of a rectangle with round corners of radius r.
func roundOps(x, y, w, h, r float64) []Op {
	r = min(r, w/2, h/2)
	if r <= 0 {
		return boxOps(x, y, w, h)
	}
	k := r * (1 - kappa)
	return []Op{
		Move(x+r, y), Draw(x+w-r, y), Curve(x+w-k, y, x+w, y+k, x+w, y+r),
		Draw(x+w, y+h-r), Curve(x+w, y+h-k, x+w-k, y+h, x+w-r, y+h),
		Draw(x+r, y+h), Curve(x+k, y+h, x, y+h-k, x, y+h-r),
		Draw(x, y+r), Curve(x, y+k, x+k, y, x+r, y), Close(),
	}
}

// discOps returns the outline of a circle as four curves, clockwise.
func discOps(x, y, r float64) []Op { return roundOps(x-r, y-r, 2*r, 2*r, r) }

// kappa is the length of the handles of a cubic curve that is a quarter of a
// circle of radius 1.
const kappa = 0.5522847498
