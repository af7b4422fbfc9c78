//go:build js

package api

const examplePatients = 2000
