package browsertest

import "fmt"

// Keys that write nothing; Enter does.
const (
	Tab        = "Tab"
	Enter      = "Enter"
	End        = "End"
	Home       = "Home"
	ArrowLeft  = "ArrowLeft"
	ArrowUp    = "ArrowUp"
	ArrowRight = "ArrowRight"
	ArrowDown  = "ArrowDown"
)

// named are the keys with names, by their numbers.
var named = map[string]int{Tab: 9, Enter: 13, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40}

// Press presses keys where the focus is: those with names, and the letters of other texts.
func (b *Browser) Press(keys ...string) {
	b.T.Helper()
	for _, k := range keys {
		if code, ok := named[k]; ok {
			text := map[string]string{Enter: "\r"}[k]
			b.key(map[string]any{"key": k, "code": k, "windowsVirtualKeyCode": code, "text": text})
			continue
		}
		for _, letter := range k {
			b.key(map[string]any{"key": string(letter), "text": string(letter)})
		}
	}
}

func (b *Browser) key(k map[string]any) {
	b.T.Helper()
	for _, way := range []string{"keyDown", "keyUp"} {
		k["type"] = way
		b.call("Input.dispatchKeyEvent", k, nil)
		delete(k, "text")
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
	for _, way := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": way, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}
