package show_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func TestShots(t *testing.T) {
	b := openBrowser(t)
	for _, name := range strings.Fields(os.Getenv("SHOTS")) {
		text, err := os.ReadFile(filepath.Join("/tmp/tb/runs", name+".html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []int64{1400, 390} {
			for _, theme := range []string{"light", "dark"} {
				if theme == "dark" && w == 390 && name != "desynpuf" {
					continue
				}
				b.theme(theme)
				if _, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: w, Height: 1000, DeviceScaleFactor: 1}); err != nil {
					t.Fatal(err)
				}
				b.open(name+".html", text)
				png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
				if err != nil {
					t.Fatal(err)
				}
				os.WriteFile("/tmp/tb/shots/"+name+"-"+theme+"-"+map[int64]string{1400: "1400", 390: "390", 768: "768"}[w]+".png", png, 0o644)
			}
		}
	}
}
