package browsertest

import (
	"fmt"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Keys that write nothing; Enter does.
const (
	Tab        = kb.Tab
	Enter      = kb.Enter
	End        = kb.End
	Home       = kb.Home
	ArrowLeft  = kb.ArrowLeft
	ArrowUp    = kb.ArrowUp
	ArrowRight = kb.ArrowRight
	ArrowDown  = kb.ArrowDown
)

// Press presses keys where the focus is: those with names, and the letters of other texts.
func (b *Browser) Press(keys ...string) {
	b.T.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// Focus gives the focus to the first element that fits.
func (b *Browser) Focus(selector string) {
	b.T.Helper()
	b.Run(fmt.Sprintf(`document.querySelector(%q).focus()`, selector))
}

// Click clicks with the mouse into the middle of the first element that fits.
func (b *Browser) Click(selector string) {
	b.T.Helper()
	at := b.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({ block: "center" }); const r = e.getBoundingClientRect(); return (r.left + r.width / 2) + " " + (r.top + r.height / 2); })()`, selector))
	var x, y float64
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		b.T.Fatalf("%s is at %s: %v", selector, at, err)
	}
	b.do(chromedp.MouseClickXY(x, y))
}
