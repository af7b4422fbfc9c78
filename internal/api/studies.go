package api

import "context"

// Study is a study with other sites whose folder lies in the workspace: the
// coordinator's, or the home of one site.
type Study struct {
	Folder string `json:"folder"`
	Name   string `json:"name"`
	Number string `json:"number"`
	Site   string `json:"site"` // whose home the folder is; "" for the coordinator's
	Sites  int    `json:"sites" gate:"sites"`
	Open   bool   `json:"open"` // whoever gets a file can read its sums
	Rounds int    `json:"rounds" gate:"rounds"`
	// Joined are the sites that are in, Missing those whose files of the round under
	// way are not here; Unnamed is the number of sites that have not joined.
	Joined  []string `json:"joined"`
	Missing []string `json:"missing"`
	Unnamed int      `json:"unnamed" gate:"sites"`
	Stopped string   `json:"stopped"` // a site that ended with an error
	Sent    []Sent   `json:"sent"`    // what has left a site
	Problem string   `json:"problem"` // why the folder cannot be read
}

// Sent is a file that has left a site.
type Sent struct {
	File  string `json:"file"`
	Round int    `json:"round" gate:"rounds"`
	What  string `json:"what"`
	Bytes int    `json:"bytes" gate:"bytes of a file"`
	Sum   string `json:"sum"` // SHA-256
}

// StudyList lists the studies of a workspace.
type StudyList struct {
	Studies []Study `json:"studies"`
}

// WatchStudies gives the API a way to find the studies of its workspace; a door
// without one has none. They are reported, not led: rounds are begun where the keys of the
// sites are.
func (a *API) WatchStudies(find func() ([]Study, error)) { a.findStudies = find }

// Studies tells how far the studies with other sites are.
func (a *API) Studies(context.Context, Nothing) (*StudyList, error) {
	out := &StudyList{Studies: []Study{}}
	if a.findStudies == nil {
		return out, nil
	}
	list, err := a.findStudies()
	if list != nil {
		out.Studies = list
	}
	return out, err
}
