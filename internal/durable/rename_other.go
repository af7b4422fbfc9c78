//go:build !linux && !darwin && !windows

package durable

import "errors"

func renameNew(from, to string) error { return renameNewBySteps(from, to) }

func exchange(string, string) error { return errors.ErrUnsupported }
