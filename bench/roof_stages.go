package main

func roofStages() []stage { return nil }
