package show

// Synthetic is the made-up report, for tests outside the package.
var Synthetic = synthetic
