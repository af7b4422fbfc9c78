package show

// ScatterChart is points over two axes, one shape and colour a series. Points
// with words are named where there is room.
type ScatterChart struct {
	ID             string
	Title          string
	Subtitle       string
	XLabel, YLabel string
	Series         []Series
	LogX, LogY     bool
	Notes          []string
	Width, Height  float64 // as those of LineChart
}

// Scene draws the chart.
func (c ScatterChart) Scene() *Scene {
	l := LineChart{
		ID: c.ID, Title: c.Title, Subtitle: c.Subtitle, XLabel: c.XLabel, YLabel: c.YLabel, Series: c.Series,
		LogX: c.LogX, LogY: c.LogY, Notes: c.Notes, Width: c.Width, Height: c.Height, points: true,
	}
	s := l.Scene()
	c.names(s, l)
	s.Sheet = c.sheet()
	return s
}

// names writes the words of points beside them, unless they would collide with
// what is written already.
func (c ScatterChart) names(s *Scene, l LineChart) {
	taken := labelBoxes(s.Marks)
	_, a := l.start()
	for _, series := range c.Series {
		for i := range min(len(series.X), len(series.Y)) {
			if x, y, ok := a.place(series.X[i], series.Y[i]); ok {
				taken = append(taken, extent{x - 5, y - 5, x + 5, y + 5})
			}
		}
	}
	for _, series := range c.Series {
		for i, word := range series.Words {
			if i >= len(series.X) || i >= len(series.Y) {
				break
			}
			x, y, ok := a.place(series.X[i], series.Y[i])
			if !ok {
				continue
			}
			m := Label{X: x + 7, Y: y + smallSize*0.35, Text: fitLabel(word, 140, smallSize, false), Size: smallSize, Fill: inkPaint()}
			b := m.bounds()
			if b.x1 > s.Width-chartEdge/2 {
				m.X, m.Anchor = x-7, End
				b = m.bounds()
			}
			if b.x0 < a.left || b.overlapsAny(taken) {
				continue
			}
			taken = append(taken, b)
			s.Add(m)
		}
	}
}

func (c ScatterChart) sheet() Sheet {
	sh := Sheet{Head: []string{"point", "series", orWord(c.XLabel, "x"), orWord(c.YLabel, "y")}}
	for _, s := range c.Series {
		for i := range min(len(s.X), len(s.Y)) {
			word := ""
			if i < len(s.Words) {
				word = s.Words[i]
			}
			sh.Rows = append(sh.Rows, []string{word, s.Name, sheetNumber(s.X, i), sheetNumber(s.Y, i)})
		}
	}
	return sh
}
