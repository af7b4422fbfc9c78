package show

// tableGap lies between two columns, in points.
const tableGap = 10

// columns are the widths of a table: the first takes what the others leave.
func (f *pdfFlow) columns(t Table) []float64 {
	width := make([]float64, len(t.Head))
	first := f.inner()
	for c := 1; c < len(width); c++ {
		width[c] = textWidth(cleanLine(t.Head[c]), pdfSmall, true)
		for _, r := range t.Rows {
			width[c] = max(width[c], textWidth(cleanLine(r[c]), pdfSmall, false))
		}
		width[c] = min(width[c], 110)
		first -= width[c] + tableGap
	}
	width[0] = max(first, 60)
	return width
}

// table writes a table with its title; the head comes again on a new page.
func (f *pdfFlow) table(t namedTable) {
	const row, gap = pdfSmall * 1.5, tableGap
	width := f.columns(t.Table)
	put := func(cells []string, isBold bool, paint Paint) {
		x := float64(pdfEdge)
		for c, s := range cells {
			s = fitLabel(s, width[c], pdfSmall, isBold)
			left := x
			if c > 0 {
				left = x + width[c] - textWidth(s, pdfSmall, isBold)
			}
			f.text(left, f.y+pdfSmall*ascent+1.5, s, pdfSmall, isBold, paint)
			x += width[c] + gap
		}
		f.y += row
		d := pdfWriter{p: f.p, scale: 1}
		d.path([]Op{Move(pdfEdge, f.y-1), Draw(pdfWide-pdfEdge, f.y-1)}, Style{Stroke: faintPaint(), Width: 0.5})
	}
	f.need(pdfText*leading + 3*row)
	f.line(t.Name, pdfText, true, inkPaint())
	put(t.Table.Head, true, mutedPaint())
	for _, r := range t.Table.Rows {
		if f.y+row > pdfTall-pdfEdge {
			f.turn()
			put(t.Table.Head, true, mutedPaint())
		}
		put(r, false, inkPaint())
	}
	f.y += 8
}
