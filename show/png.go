package show

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// PrintScale is the scale of WritePNG at which a scene has 300 points an inch.
const PrintScale = 300.0 / 96

// mostPixels bounds a picture: a wish for more is a mistake, not a drawing.
const mostPixels = 200e6

// WritePNG writes a scene as a PNG file with scale pixels to a unit: 1 for
// screens, 2 for fine screens, PrintScale for paper.
func WritePNG(w io.Writer, s *Scene, scale float64) error {
	width, height := math.Ceil(s.Width*scale), math.Ceil(s.Height*scale)
	if !(width >= 1 && height >= 1 && width*height <= mostPixels) {
		return fmt.Errorf("show: a picture of %v by %v pixels, want 1 to %.0f in all: choose another scale than %v", width, height, float64(mostPixels), scale)
	}
	p := &pngWriter{img: image.NewRGBA(image.Rect(0, 0, int(width), int(height))), scale: scale}
	paper := s.paper()
	draw.Draw(p.img, p.img.Bounds(), image.NewUniform(color.NRGBA{paper.r, paper.g, paper.b, 255}), image.Point{}, draw.Src)
	p.marks(s.Marks)
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	return enc.Encode(&pngMarker{w: w}, p.img)
}

// pngMarker adds the chunk that names the program behind the head, which is the
// first thing written.
type pngMarker struct {
	w    io.Writer
	seen int
}

// pngHead is the length of the signature and the first chunk.
const pngHead = 8 + 25

func (m *pngMarker) Write(b []byte) (int, error) {
	before := max(pngHead-m.seen, 0)
	if m.seen > pngHead || len(b) < before {
		m.seen += len(b)
		return m.w.Write(b)
	}
	m.seen += len(b) + 1
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(markPNG)-len("tEXt")))
	chunk = append(chunk, markPNG...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE([]byte(markPNG)))
	for _, part := range [][]byte{b[:before], chunk, b[before:]} {
		if _, err := m.w.Write(part); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

type pngWriter struct {
	img   *image.RGBA
	scale float64
}

func (p *pngWriter) marks(marks []Mark) {
	for _, m := range marks {
		switch m := m.(type) {
		case Box:
			p.path(roundOps(m.X, m.Y, m.W, m.H, m.Round), m.Style)
		case Rule:
			p.path([]Op{Move(m.X1, m.Y1), Draw(m.X2, m.Y2)}, m.Style)
		case Disc:
			p.path(discOps(m.X, m.Y, m.R), m.Style)
		case Path:
			p.path(m.Ops, m.Style)
		case Label:
			p.label(m)
		case Layer:
			p.marks(m.Marks)
		}
	}
}

// path fills and strokes an outline.
func (p *pngWriter) path(ops []Op, s Style) {
	lines := flatten(ops)
	if s.Fill.on {
		p.fill(lines, s.Fill, s.alpha())
	}
	if s.Stroke.on {
		p.fill(outline(lines, s.width(), s.Dash), s.Stroke, s.alpha())
	}
}

// fill fills closed parts, given in units of the scene.
func (p *pngWriter) fill(parts []polyline, paint Paint, alpha float64) {
	box, some := pixelBounds(parts, p.scale)
	box = box.Intersect(p.img.Bounds())
	if !some || box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(q Point) (x, y float32) {
		return float32(q.X*p.scale - float64(box.Min.X)), float32(q.Y*p.scale - float64(box.Min.Y))
	}
	for _, part := range parts {
		if len(part.p) < 2 {
			continue
		}
		r.MoveTo(at(part.p[0]))
		for _, q := range part.p[1:] {
			r.LineTo(at(q))
		}
		r.ClosePath()
	}
	a := uint8(math.Round(255 * alpha))
	r.Draw(p.img, box, image.NewUniform(color.NRGBA{paint.r, paint.g, paint.b, a}), image.Point{})
}

// label draws the glyphs of a text as outlines.
func (p *pngWriter) label(m Label) {
	t, size := face(m.Bold), m.Size*p.scale
	ppem := fixed.Int26_6(math.Round(size * 64))
	x := 0.0
	switch width := textWidth(m.Text, m.Size, m.Bold); m.Anchor {
	case Middle:
		x = -width / 2
	case End:
		x = -width
	}
	sin, cos := math.Sincos(m.Turn * math.Pi / 180)
	var parts []polyline
	for _, r := range drawable(m.Text, m.Bold) {
		place := func(gx, gy float64) Point {
			gx += x
			return Point{m.X + gx*cos - gy*sin, m.Y + gx*sin + gy*cos}
		}
		parts = append(parts, flatten(t.outline(r, ppem, p.scale, place))...)
		x += t.advance[r] * m.Size
	}
	p.fill(parts, m.Fill, 1)
}

func pixelBounds(parts []polyline, scale float64) (image.Rectangle, bool) {
	lowX, lowY, highX, highY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, part := range parts {
		for _, q := range part.p {
			lowX, lowY = min(lowX, q.X), min(lowY, q.Y)
			highX, highY = max(highX, q.X), max(highY, q.Y)
		}
	}
	if !(lowX <= highX && lowY <= highY) || math.IsInf(lowX, 0) || math.IsInf(highX, 0) {
		return image.Rectangle{}, false
	}
	return image.Rect(int(math.Floor(lowX*scale)), int(math.Floor(lowY*scale)), int(math.Ceil(highX*scale)), int(math.Ceil(highY*scale))), true
}
