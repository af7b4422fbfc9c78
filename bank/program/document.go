package program

import (
	"encoding/json"
	"fmt"
)

// Verdict is what the program claims of the number of groups.
type Verdict struct {
	Groups    int // 0: no claim, as where the number was told
	Low, High int
	Sure      bool
	Sureness  string          // in the program's own word
	Segments  int             // 0 where it tells none
	Whole     json.RawMessage // as the program wrote it; nil where there is none
}

// document is the part of the JSON document of a fit that is read.
type document struct {
	Verdict json.RawMessage `json:"verdict"`
	Report  struct {
		Claim *struct {
			Sureness string `json:"sureness"`
		} `json:"claim"`
	} `json:"report"`
}

// claim is the part of a verdict that is read.
type claim struct {
	Groups   int   `json:"groups"`
	Range    []int `json:"range"`
	Sure     bool  `json:"sure"`
	Segments *struct {
		Groups int `json:"groups"`
	} `json:"segments"`
}

// parse reads the verdict out of the JSON document of a fit.
func parse(text []byte) (Verdict, error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return Verdict{}, fmt.Errorf("the document of the fit: %w", err)
	}
	var v Verdict
	if d.Report.Claim != nil {
		v.Sureness = d.Report.Claim.Sureness
	}
	if len(d.Verdict) == 0 || string(d.Verdict) == "null" {
		return v, nil
	}
	var c claim
	if err := json.Unmarshal(d.Verdict, &c); err != nil {
		return Verdict{}, fmt.Errorf("the verdict of the fit: %w", err)
	}
	v.Groups, v.Sure, v.Low, v.High, v.Whole = c.Groups, c.Sure, c.Groups, c.Groups, d.Verdict
	if len(c.Range) == 2 {
		v.Low, v.High = c.Range[0], c.Range[1]
	}
	if c.Segments != nil {
		v.Segments = c.Segments.Groups
	}
	return v, nil
}
