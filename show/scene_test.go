package show_test

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/show"
)

// sample is a scene with every kind of mark.
func sample() *show.Scene {
	s := &show.Scene{ID: "sample", Width: 200, Height: 120, Title: `Every <mark> & "more"`, Desc: "A box, a line, a circle, a path and words."}
	blue, red := show.RGB(0x0072b2), show.RGB(0xd55e00)
	s.Add(
		show.Box{X: 10, Y: 10, W: 40, H: 20, Style: show.Style{Fill: blue}},
		show.Box{X: 60, Y: 10, W: 40, H: 20, Round: 5, Style: show.Style{Fill: red, Stroke: blue, Width: 2, Alpha: .5}},
		show.Rule{X1: 10, Y1: 40, X2: 110, Y2: 40, Style: show.Style{Stroke: blue, Width: 3, Dash: []float64{6, 3}}},
		show.Disc{X: 150, Y: 30, R: 20, Style: show.Style{Fill: red}},
		show.Layer{ID: "words", Title: "Words", Marks: []show.Mark{
			show.Label{X: 10, Y: 70, Text: "αβγ Größe λ = 0.6", Size: 12, Fill: blue},
			show.Label{X: 190, Y: 90, Text: "end", Size: 12, Bold: true, Anchor: show.End, Fill: red},
			show.Label{X: 150, Y: 110, Text: "turned", Size: 12, Anchor: show.Middle, Turn: -30, Fill: red},
		}},
		show.Path{Ops: []show.Op{show.Move(10, 90), show.Curve(30, 60, 50, 120, 70, 90), show.Draw(70, 110), show.Close()}, Style: show.Style{Fill: blue}},
	)
	return s
}

func TestGoldenFiles(t *testing.T) {
	var svg, pdf bytes.Buffer
	if err := show.WriteSVG(&svg, sample()); err != nil {
		t.Fatal(err)
	}
	golden(t, "sample.svg", svg.Bytes())
	if err := show.WritePDF(&pdf, sample()); err != nil {
		t.Fatal(err)
	}
	golden(t, "sample.pdf", pdf.Bytes())
	golden(t, "sample-page.svg", []byte(show.InlineSVG(sample())))
}

// wellFormed reads a whole XML file.
func wellFormed(t *testing.T, b []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
}

func TestSamePixels(t *testing.T) {
	var b bytes.Buffer
	if err := show.WritePNG(&b, sample(), 2); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 400 || got.Y != 240 {
		t.Fatalf("size %v, want 400×240", got)
	}
	rgb := func(x, y int) [3]uint8 {
		c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
		return [3]uint8{c.R, c.G, c.B}
	}
	for _, c := range []struct {
		name string
		x, y int
		want [3]uint8
	}{
		{"paper", 1, 1, [3]uint8{255, 255, 255}},
		{"box", 60, 40, [3]uint8{0, 0x72, 0xb2}},
		{"half red", 160, 40, [3]uint8{0xea, 0xae, 0x7f}},
		{"disc", 300, 60, [3]uint8{0xd5, 0x5e, 0}},
		{"dash", 24, 80, [3]uint8{0, 0x72, 0xb2}},
		{"gap", 35, 80, [3]uint8{255, 255, 255}},
	} {
		if got := rgb(c.x, c.y); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// near allows one step of rounding in alpha.
func near(a, b [3]uint8) bool {
	for i := range a {
		if numtest.Off(float64(a[i]), float64(b[i]), 1) {
			return false
		}
	}
	return true
}

// TestStrokeEven checks that the rim of a circle is equally dark all around:
// pieces of a curve must not cover each other.
func TestStrokeEven(t *testing.T) {
	s := &show.Scene{Width: 100, Height: 100}
	s.Add(show.Disc{X: 50, Y: 50, R: 40, Style: show.Style{Stroke: show.RGB(0), Width: 1}})
	var b bytes.Buffer
	if err := show.WritePNG(&b, s, 1); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	const rays = 64
	dark := func(angle float64) float64 { // of a ray from the middle
		sum := 0.0
		for r := 36.0; r < 45; r += 0.25 {
			g := color.GrayModel.Convert(img.At(int(50+r*math.Cos(angle)), int(50+r*math.Sin(angle)))).(color.Gray)
			sum += (255 - float64(g.Y)) / 255 / 4
		}
		return sum
	}
	for i := range rays {
		// A line of width 1 darkens one pixel in all; sampling by pixels is good
		// to about a third.
		if got := dark(2 * math.Pi * float64(i) / rays); got < 0.6 || got > 1.45 {
			t.Errorf("ray %d: %.2f, want about 1", i, got)
		}
	}
}

func TestSizesOfPictures(t *testing.T) {
	for _, scale := range []float64{0, -1, math.NaN(), 1e6} {
		if err := show.WritePNG(io.Discard, sample(), scale); err == nil || !strings.Contains(err.Error(), "choose another scale") {
			t.Errorf("scale %v: %v", scale, err)
		}
	}
}

func TestWrap(t *testing.T) {
	text := "Occlusion of cerebral arteries and a wordthatismuchlongerthananylinecouldeverbe indeed"
	for _, width := range []float64{30, 60, 100, 400} {
		lines := show.WrapLabel(text, width, 12, false, 0)
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(text, " ", "") {
			t.Errorf("width %v lost letters: %q", width, lines)
		}
		for _, most := range []int{1, 2, 3} {
			short := show.WrapLabel(text, width, 12, false, most)
			if len(short) > most {
				t.Errorf("%d lines, want at most %d", len(short), most)
			}
			for _, l := range short {
				if w := show.TextWidth(l, 12, false); w > width {
					t.Errorf("%q is %v wide, want at most %v", l, w, width)
				}
			}
		}
	}
	if got := show.FitLabel("abc", 0.1, 12, false); got != "" {
		t.Errorf("no room: %q", got)
	}
	if got := show.CleanLine(" a\x00b\n\tc\u202e\xff "); got != "ab c\ufffd" {
		t.Errorf("cleaned: %q", got)
	}
}

func TestColours(t *testing.T) {
	last := -1.0
	for i := range 101 {
		l := show.Cividis(float64(i) / 100).Luminance()
		if l <= last {
			t.Fatalf("cividis is not brighter at %d %%", i)
		}
		last = l
	}
	seen := make(map[uint32]bool)
	for j := range 24 {
		p := show.GroupPaint(j)
		if seen[p.Hex()] {
			t.Errorf("group %d has the colour of another", j+1)
		}
		seen[p.Hex()] = true
		if c := show.Contrast(p, show.TextOn(p)); c < 4.5 {
			t.Errorf("text on group %d has a contrast of %.1f, want 4.5", j+1, c)
		}
	}
}

func TestScales(t *testing.T) {
	for _, c := range []struct {
		values []float64
		log    bool
		want   []float64
	}{
		{[]float64{0, 1}, false, []float64{0, .2, .4, .6, .8, 1}},
		{[]float64{-270, -180}, false, []float64{-280, -260, -240, -220, -200, -180}},
		{[]float64{0.3, 40}, true, []float64{.2, .5, 1, 2, 5, 10, 20, 50}},
		{[]float64{3, math.NaN(), math.Inf(1)}, false, []float64{1, 2, 3, 4, 5}},
		{nil, false, []float64{0, .2, .4, .6, .8, 1}},
	} {
		_, ticks := show.NewScale(c.values, 0, 100, c.log, false)
		if len(ticks) != len(c.want) {
			t.Errorf("%v: ticks %v, want %v", c.values, ticks, c.want)
			continue
		}
		for i := range ticks {
			if numtest.Off(ticks[i], c.want[i], 1e-9) {
				t.Errorf("%v: ticks %v, want %v", c.values, ticks, c.want)
			}
		}
	}
}

// TestClassicalScaling recovers the distances of points in a plane.
func TestClassicalScaling(t *testing.T) {
	px, py := []float64{0, 3, 3, 7}, []float64{0, 0, 4, 1}
	d := mat.NewSymDense(4, nil)
	for i := range 4 {
		for j := range i {
			d.SetSym(i, j, math.Hypot(px[i]-px[j], py[i]-py[j]))
		}
	}
	x, y := show.ClassicalScaling(d)
	for i := range 4 {
		for j := range i {
			if got := math.Hypot(x[i]-x[j], y[i]-y[j]); numtest.Off(got, d.At(i, j), 1e-9) {
				t.Errorf("distance %d %d: %v, want %v", i, j, got, d.At(i, j))
			}
		}
	}
	if x, y := show.ClassicalScaling(mat.NewSymDense(3, nil)); x[0] != 0 || y[2] != 0 {
		t.Errorf("equal things: %v %v", x, y)
	}
}
