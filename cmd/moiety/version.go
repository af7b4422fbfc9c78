package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/fit"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: argsBetween(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			about := struct {
				Program  string `json:"program"`
				Revision string `json:"revision,omitempty"`
				Go       string `json:"go"`
				Platform string `json:"platform"`
			}{fit.Program(), revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if a.json {
				return a.document("version", about)
			}
			a.print("%s\n", about.Program)
			if a.verbose {
				a.print("revision %s\n%s\n%s\n", about.Revision, about.Go, about.Platform)
			}
			return nil
		},
	}
}

// revision returns the commit the program was built from, if it is known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
