package show

import "math"

// Paint is a colour, or none (the zero value). A paint with a role is a CSS
// variable inside a page, so that dark pages can change it; in files it is the
// light colour.
type Paint struct {
	on      bool
	r, g, b uint8
	role    string
}

// RGB returns the opaque colour 0xRRGGBB.
func RGB(hex uint32) Paint {
	return Paint{on: true, r: uint8(hex >> 16), g: uint8(hex >> 8), b: uint8(hex)}
}

func role(name string, hex uint32) Paint {
	p := RGB(hex)
	p.role = name
	return p
}

// Paints of the parts of a drawing that are not data. Ink and Muted have a
// contrast of at least 4.5 to 1 on Paper, Faint is for lines of the background.
func inkPaint() Paint     { return role("ink", 0x1a1a1a) }
func mutedPaint() Paint   { return role("muted", 0x555555) }
func faintPaint() Paint   { return role("faint", 0xd9d9d9) }
func paperPaint() Paint   { return role("paper", 0xffffff) }
func panelPaint() Paint   { return role("panel", 0xf4f5f7) }
func overallPaint() Paint { return role("overall", 0x757575) }

// groupPaint returns the colour of series j, from 0. After eight the colours
// come again as tints; colour never stands alone, every use has a word or a
// number beside it.
func groupPaint(j int) Paint {
	return tokenPaint(hueName(j%len(hues)) + [...]string{"", "-pale", "-faint"}[j/len(hues)%3])
}

func (p Paint) hex() uint32 { return uint32(p.r)<<16 | uint32(p.g)<<8 | uint32(p.b) }

// mix returns the colour that is share of q and the rest of p, without role.
func (p Paint) mix(q Paint, share float64) Paint {
	at := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return Paint{on: true, r: at(p.r, q.r), g: at(p.g, q.g), b: at(p.b, q.b)}
}

// luminance returns the relative luminance of WCAG.
func (p Paint) luminance() float64 {
	line := func(c uint8) float64 {
		v := float64(c) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*line(p.r) + 0.7152*line(p.g) + 0.0722*line(p.b)
}

// contrast returns the contrast of two colours, 1 to 21 (WCAG).
func contrast(p, q Paint) float64 {
	a, b := p.luminance(), q.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// textOn returns black or white, whichever reads better on p.
func textOn(p Paint) Paint {
	black, white := RGB(0x000000), RGB(0xffffff)
	if contrast(p, black) >= contrast(p, white) {
		return black
	}
	return white
}

// cividisStops are every ninth part of the map cividis (Nuñez, Anderton and
// Renslow 2018): the same to the eye with and without red-green blindness, and
// even in grey.
var cividisStops = [10]uint32{
	0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838,
}

// cividis returns the colour of a magnitude from 0, dark, to 1, bright.
func cividis(v float64) Paint {
	v = min(max(v, 0), 1) * float64(len(cividisStops)-1)
	i := min(int(v), len(cividisStops)-2)
	return RGB(cividisStops[i]).mix(RGB(cividisStops[i+1]), v-float64(i))
}
