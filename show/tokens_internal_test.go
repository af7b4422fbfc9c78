package show

import "testing"

// TestContrast computes the contrast of every pair of tokens that meet: letters
// 4.5 to 1, marks 3 to 1 (WCAG 2.2), in every theme.
func TestContrast(t *testing.T) {
	const letters, marks = 4.5, 3
	pairs := []struct {
		front, back string
		least       float64
	}{
		{"focus", "paper", marks}, {"accent", "paper", marks}, {"overall", "paper", marks}, {"inner", "paper", marks}, {"focus", "panel", marks},
	}
	for _, front := range []string{"ink", "muted", "link", "good", "warn"} {
		for _, back := range []string{"paper", "panel"} {
			pairs = append(pairs, struct {
				front, back string
				least       float64
			}{front, back, letters})
		}
	}
	for i := range hues {
		h := hueName(i)
		pairs = append(pairs, []struct {
			front, back string
			least       float64
		}{{h + "-edge", "paper", marks}, {h + "-text", h, letters}, {"ink", h + "-pale", letters}, {"ink", h + "-faint", letters}}...)
	}
	value := make(map[string][3]uint32)
	for _, k := range tokens() {
		value[k.name] = k.hex
	}
	for _, p := range pairs {
		for theme := range 3 {
			front, ok := value[p.front]
			back, also := value[p.back]
			if !ok || !also {
				t.Fatalf("no token %s or %s", p.front, p.back)
			}
			if c := contrast(RGB(front[theme]), RGB(back[theme])); c < p.least {
				t.Errorf("theme %d: %s on %s has a contrast of %.2f, want %.1f", theme, p.front, p.back, c, p.least)
			}
		}
	}
}

// TestOnPaint: letters on any colour of a group can be read, in light and dark.
func TestOnPaint(t *testing.T) {
	for j := range 24 {
		for _, theme := range []Theme{Light, Dark, Print} {
			fill := groupPaint(j)
			s := (&Scene{Marks: []Mark{Box{Style: Style{Fill: fill, Stroke: onPaint(fill)}}}}).In(theme)
			b := s.Marks[0].(Box)
			if c := contrast(b.Fill, b.Stroke); c < 4.5 {
				t.Errorf("letters on colour %d, theme %d: %.2f", j+1, theme, c)
			}
		}
	}
}
