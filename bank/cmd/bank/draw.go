package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/moiety-go/moiety/bank/draw"
)

// writeDraws writes draws to files, a folder each, and prints the command that the
// program is tried by.
func writeDraws(args []string) error {
	f := flag.NewFlagSet("draw", flag.ContinueOnError)
	var c choice
	c.flags(f, "all")
	out := f.String("out", "", "folder to write")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *out == "" {
		return errors.New("draw needs -out")
	}
	asked, err := c.draws()
	if err != nil {
		return err
	}
	for _, a := range asked {
		if err := writeDraw(*out, a); err != nil {
			return err
		}
	}
	return nil
}

// writeDraw writes one draw.
func writeDraw(out string, a one) error {
	name := fmt.Sprintf("%s-%s-%d-%d", a.Hand, strings.Map(letter, a.Name), a.n, a.seed)
	folder := filepath.Join(out, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file, err := draw.Write(folder, draw.Records(a.Hand, a.Law.Law, a.n, a.seed))
	if err != nil {
		return err
	}
	fmt.Println("fit", strings.Join(append([]string{file.Path}, file.Flags...), " "))
	return nil
}

// letter replaces what is awkward in the name of a file.
func letter(r rune) rune {
	if strings.ContainsRune(" /\\:*?\"<>|'", r) {
		return '_'
	}
	return r
}
