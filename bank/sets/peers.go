package sets

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
)

// Peer is what another method made of a set.
type Peer struct {
	Method string
	Role   Role
	Groups int
	ARI    float64 // 0 of a set without classes
}

// Role says what a method was told.
type Role int

// The roles: the columns of peers.csv number them.
const (
	Alone  Role = iota // nothing
	Told               // the number of classes
	Taught             // the classes of other records
)

// ReadPeers reads what peers.py wrote, by the name of the set: rows of set, method, role,
// groups and index.
func ReadPeers(path string) (map[string][]Peer, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all := map[string][]Peer{}
	for i, row := range rows[min(1, len(rows)):] {
		p, err := peer(row)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+2, err)
		}
		all[row[0]] = append(all[row[0]], p)
	}
	return all, nil
}

// peer reads a row; its index is empty where the set has no classes.
func peer(row []string) (Peer, error) {
	if len(row) != 5 {
		return Peer{}, fmt.Errorf("%d cells in the place of 5", len(row))
	}
	p := Peer{Method: row[1]}
	role, err := strconv.Atoi(row[2])
	if err != nil || role < int(Alone) || role > int(Taught) {
		return Peer{}, fmt.Errorf("%q is no role: 0, 1 or 2", row[2])
	}
	p.Role = Role(role)
	if p.Groups, err = strconv.Atoi(row[3]); err != nil || row[4] == "" {
		return p, err
	}
	p.ARI, err = strconv.ParseFloat(row[4], 64)
	return p, err
}
