package show

// Written is a label with the rectangle around it, for tests of layout.
type Written struct {
	Text           string
	X0, Y0, X1, Y1 float64
}

// LabelsOf returns all labels of a scene.
func LabelsOf(s *Scene) []Written {
	var out []Written
	eachLabel(s.Marks, func(l Label) {
		b := l.bounds()
		out = append(out, Written{l.Text, b.x0, b.y0, b.x1, b.y1})
	})
	return out
}

// For tests of what the charts stand on.
var (
	TextWidth        = textWidth
	WrapLabel        = wrapLabel
	FitLabel         = fitLabel
	CleanLine        = cleanLine
	Cividis          = cividis
	GroupPaint       = groupPaint
	TextOn           = textOn
	Contrast         = contrast
	NewScale         = newScale
	ClassicalScaling = classicalScaling
	InlineSVG        = inlineSVG
)

// Hex returns a colour as 0xRRGGBB.
func (p Paint) Hex() uint32 { return uint32(p.r)<<16 | uint32(p.g)<<8 | uint32(p.b) }

// Luminance returns the relative luminance of a colour.
func (p Paint) Luminance() float64 { return p.luminance() }
