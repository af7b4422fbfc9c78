package codes

// Range is a run of categories with a title.
type Range struct {
	From, To string // first and last category
	Title    string
}

// Name returns the range as it is written, "390-459".
func (r Range) Name() string { return r.From + "-" + r.To }

// holds reports whether a category lies in the range. Categories of one kind
// (digits, V, E) have one length, so the order of text is the order of codes.
func (r Range) holds(category string) bool {
	return len(category) == len(r.From) && r.From <= category && category <= r.To
}

// Chapter returns the chapter that holds a key.
func Chapter(s System, key string) (Range, bool) {
	if s == ICD10 && !shape10(key) {
		return Range{}, false
	}
	category := Category(s, key)
	for _, c := range chaptersOf(s) {
		if c.holds(category) && (s != ICD9 || digitsAfter(category)) {
			return c, true
		}
	}
	return Range{}, false
}

// digitsAfter reports that a category of ICD-9 has digits only behind its
// letter, if it has one.
func digitsAfter(category string) bool {
	for i := 1; i < len(category); i++ {
		if category[i] < '0' || category[i] > '9' {
			return false
		}
	}
	return true
}

func chaptersOf(s System) []Range {
	switch s {
	case ICD9:
		return chapters9
	case ICD10:
		return chapters10
	}
	return nil
}

// chapters9 are the chapters of ICD-9-CM with short titles.
var chapters9 = []Range{
	{"001", "139", "Infections and parasites"},
	{"140", "239", "Neoplasms"},
	{"240", "279", "Endocrine, nutritional, metabolic and immune disorders"},
	{"280", "289", "Blood and blood-forming organs"},
	{"290", "319", "Mental disorders"},
	{"320", "389", "Nervous system and sense organs"},
	{"390", "459", "Circulatory system"},
	{"460", "519", "Respiratory system"},
	{"520", "579", "Digestive system"},
	{"580", "629", "Genitourinary system"},
	{"630", "679", "Pregnancy, childbirth and the puerperium"},
	{"680", "709", "Skin"},
	{"710", "739", "Muscles, bones and connective tissue"},
	{"740", "759", "Congenital anomalies"},
	{"760", "779", "Conditions of the newborn"},
	{"780", "799", "Symptoms and ill-defined conditions"},
	{"800", "999", "Injury and poisoning"},
	{"V01", "V99", "Factors influencing health and contact with care"},
	{"E000", "E999", "External causes of injury"},
}

// chapters10 are the chapters of ICD-10 by their public letter ranges, wide
// enough for the clinical modifications (C00-D49, E00-E89), with short titles.
var chapters10 = []Range{
	{"A00", "B99", "Infections and parasites"},
	{"C00", "D49", "Neoplasms"},
	{"D50", "D89", "Blood, blood-forming organs and immune disorders"},
	{"E00", "E90", "Endocrine, nutritional and metabolic disorders"},
	{"F00", "F99", "Mental and behavioural disorders"},
	{"G00", "G99", "Nervous system"},
	{"H00", "H59", "Eye"},
	{"H60", "H95", "Ear"},
	{"I00", "I99", "Circulatory system"},
	{"J00", "J99", "Respiratory system"},
	{"K00", "K95", "Digestive system"},
	{"L00", "L99", "Skin"},
	{"M00", "M99", "Muscles, bones and connective tissue"},
	{"N00", "N99", "Genitourinary system"},
	{"O00", "O9Z", "Pregnancy, childbirth and the puerperium"},
	{"P00", "P96", "Conditions of the newborn"},
	{"Q00", "Q99", "Congenital anomalies"},
	{"R00", "R99", "Symptoms and abnormal findings"},
	{"S00", "T98", "Injury and poisoning"},
	{"U00", "U99", "Codes for special purposes"},
	{"V00", "Y99", "External causes of injury"},
	{"Z00", "Z99", "Factors influencing health and contact with care"},
}

// shape10 reports whether a key has the shape of an ICD-10 code: a letter, a
// digit, a digit or letter, then up to four digits or letters, and a chapter.
func shape10(key string) bool {
	if len(key) < 3 || len(key) > 7 || key[0] < 'A' || key[0] > 'Z' || !digit(key[1]) {
		return false
	}
	for i := 2; i < len(key); i++ {
		if !digit(key[i]) && (key[i] < 'A' || key[i] > 'Z') {
			return false
		}
	}
	// Behind the category two letters stand together as placeholders alone (T36.XX);
	// C09AA05 is a drug of the ATC.
	if len(key) >= 5 && !digit(key[3]) && !digit(key[4]) && key[3:5] != "XX" {
		return false
	}
	// Only a few categories end in a letter (C4A, O9A, Z3A, M1A ...).
	for _, c := range chapters10 {
		if c.holds(key[:3]) {
			return true
		}
	}
	return false
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
