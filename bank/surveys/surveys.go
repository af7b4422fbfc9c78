// Package surveys holds laws of questionnaires and of other records of people:
// psychometrics, education, sociology, political science, marketing and
// epidemiology.
package surveys

import "github.com/moiety-go/moiety/bank/law"

// Laws returns every law of this hand, field by field.
func Laws() []law.Law {
	var all []law.Law
	all = append(all, psychometricsLaws()...)
	all = append(all, scoreLaws()...)
	all = append(all, educationLaws()...)
	all = append(all, sociologyLaws()...)
	all = append(all, politicsLaws()...)
	all = append(all, marketingLaws()...)
	all = append(all, epidemiologyLaws()...)
	return all
}
