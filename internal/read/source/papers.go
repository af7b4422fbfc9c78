package source

import (
	"path/filepath"
	"slices"

	"github.com/moiety-go/moiety/internal/pattern"
)

// Papers lie beside the tables of a folder: what they say of the data is no data.
var (
	tableEnding = pattern.New(`(?i)\.(csv|tsv|tab|parquet|feather|xlsx|jsonl|ndjson|npy|npz|mtx)(\.(gz|zst|bz2|xz))?$`)
	paperEnding = pattern.New(`(?i)\.(md|pdf|docx?|rtf|html?|log|r|py|sas|sps|do|sh|sql|ipynb|ya?ml|png|jpe?g|svg)$`)
	paperName   = pattern.New(`(?i)^(readme|licen[cs]e|copying|changelog|citation)(\.txt)?$`)
)

// withoutPapers takes the papers out of the paths of a folder that holds tables.
func withoutPapers(paths []string) (kept, papers []string) {
	if !slices.ContainsFunc(paths, tableEnding.MatchString) {
		return paths, nil
	}
	for _, p := range paths {
		if base := filepath.Base(p); paperEnding.MatchString(base) || paperName.MatchString(base) {
			papers = append(papers, base)
		} else {
			kept = append(kept, p)
		}
	}
	return kept, papers
}
