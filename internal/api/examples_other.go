//go:build !js

package api

const examplePatients = 6000
