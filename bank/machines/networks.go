package machines

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// networkLaws are the laws of networks, servers, users' sessions and calls.
func networkLaws() []law.Law {
	return []law.Law{
		{
			Name: "pages by the page before", Kind: law.Sequences, Groups: 1, Draw: pagesByPageBefore,
			About: "Visits follow a Markov chain of the pages themselves, which are seen: no hidden state (web navigation: Sarukkai 2000).",
		},
		{
			Name: "habits of users", Kind: law.Sequences, Groups: 1, Draw: habitsOfUsers,
			About: "Every user draws actions from weights of their own, Dirichlet around one habit: overdispersion among sequences, none in time (Minka 2000).",
		},
		{
			Name: "calls over the hours", Kind: law.Sequences, Groups: 1, Draw: callsOverHours,
			About: "Hourly calls of a smooth daily wave with a gamma level for each day: negative binomial without states (Avramidis, Deslauriers and L'Ecuyer 2004).",
		},
		{
			Name: "events of a server that degrades", Kind: law.Sequences, Groups: 3, Draw: serverStates,
			About: "Healthy, degraded and failing server, each with its weights of log events (log analysis: Oliner, Ganapathi and Xu 2012). Clear to hard.",
		},
		{
			Name: "intents in a shop's sessions", Kind: law.Sequences, Groups: 4, Draw: sessionIntents,
			About: "Browsing, search, purchase and help as hidden states over page types (Montgomery et al. 2004). Clear.",
		},
		{
			Name: "phases of an intrusion", Kind: law.Sequences, Groups: 3, Draw: intrusionPhases,
			About: "Mostly normal use, seldom a scan, very seldom an exfiltration, each with sharp events (hidden Markov intrusion detection: Warrender, Forrest and Pearlmutter 1999). Clear, very uneven.",
		},
		{
			Name: "calls of a quiet, busy and stormy exchange", Kind: law.Sequences, Groups: 3, Draw: callStates,
			About: "Poisson hidden Markov model: the rate of calls switches among three levels (MacDonald and Zucchini 1997). Clear.",
		},

		{
			Name: "errors over time exposed", Kind: law.Counts, Groups: 1, Draw: errorsOverExposure,
			About: "Error counts proportional to an uptime of heavy tail, Poisson given it (exposure: McCullagh and Nelder 1989).",
		},
		{
			Name: "calls with a frailty", Kind: law.Counts, Groups: 1, Draw: callsWithFrailty,
			About: "Calls of ten services of a customer share one gamma frailty, each with noise and empty cells of its own (Hausman, Hall and Griliches 1984).",
		},
		{
			Name: "events by role of a machine", Kind: law.Counts, Groups: 4, Draw: eventsByRole,
			About: "Web, database, mail and batch machines write event kinds at different negative binomial rates, with a continuous activity (syslog counts: Xu et al. 2009). Clear.",
		},
		{
			Name: "ports under scan and flood", Kind: law.Counts, Groups: 3, Draw: portTraffic,
			About: "Flows by port class of hosts: ordinary, scanning and flooding in 90, 8 and 2 % (Lakhina, Crovella and Diot 2005). Clear, very uneven.",
		},
		{
			Name: "callers by the hour", Kind: law.Counts, Groups: 6, Draw: callerProfiles,
			About: "Calls in twelve two-hour cells: six daily shapes with gamma activity (call detail records: Reades et al. 2007). Clear.",
		},

		{
			Name: "checks failed by severity", Kind: law.Presences, Groups: 1, Draw: checksBySeverity,
			About: "Checks of configuration fail by one continuous weakness of the host: two-parameter logistic model (Birnbaum 1968).",
		},
		{
			Name: "permissions of applications", Kind: law.Presences, Groups: 3, Draw: permissions,
			About: "Permissions asked by ordinary, advertising and spying applications in 90, 8 and 2 % (Enck, Ongtang and McDaniel 2009). Clear, very uneven.",
		},
		{
			Name: "services of two kinds of households", Kind: law.Presences, Groups: 2, Draw: householdServices,
			About: "Fourteen services taken or not by two kinds of subscribers, the chances moderately apart (latent class segmentation: Kamakura and Russell 1989). Hard.",
		},
	}
}

// pageTypes are the kinds of pages of a site.
var pageTypes = strings.Fields("home search list product cart checkout account help blog contact")

// pagesByPageBefore draws sessions of a visible Markov chain.
func pagesByPageBefore(r *rand.Rand, n int) law.Data {
	k := between(r, 6, 9)
	use := make([]float64, k)
	for j := range use {
		use[j] = 3 / float64(j+1)
	}
	c := chain{start: dirichlet(r, use), move: make([][]float64, k)}
	strength := uniform(r, 1, 2.5)
	for j := range c.move {
		around := make([]float64, k)
		for l := range around {
			around[l] = strength * use[l] / 3
		}
		around[j] += 0.4
		c.move[j] = dirichlet(r, around)
	}
	steps := make([][]string, n)
	for i := range steps {
		for _, p := range c.walk(r, sequenceLength(r)) {
			steps[i] = append(steps[i], pageTypes[p])
		}
	}
	return law.Data{Steps: steps}
}

// habitsOfUsers draws sessions without order but with weights of the user.
func habitsOfUsers(r *rand.Rand, n int) law.Data {
	actions := strings.Fields("open read edit save share delete print comment export rename")
	base := dirichlet(r, symmetric(len(actions), 3))
	strength := uniform(r, 6, 15)
	for j := range base {
		base[j] *= strength
	}
	steps := make([][]string, n)
	for i := range steps {
		own := dirichlet(r, base)
		for range sequenceLength(r) {
			steps[i] = append(steps[i], actions[pick(r, own)])
		}
	}
	return law.Data{Steps: steps}
}

// callsOverHours draws days of hourly calls that start at any hour.
func callsOverHours(r *rand.Rand, n int) law.Data {
	level, wave := uniform(r, 8, 25), uniform(r, 0.3, 0.6)
	day, noise := uniform(r, 8, 20), uniform(r, 10, 30)
	steps := make([][]string, n)
	for i := range steps {
		busy := gamma(r, day, 1/day)
		start := uniform(r, 0, 24)
		for t := range sequenceLength(r) {
			mean := level * busy * math.Exp(wave*math.Cos(2*math.Pi*(start+float64(t)-14)/24))
			steps[i] = append(steps[i], whole(negBin(r, mean, noise)))
		}
	}
	return law.Data{Steps: steps}
}

// emitted draws sequences of symbols that hidden states show.
func emitted(r *rand.Rand, n int, states chain, symbols []string, weights [][]float64) law.Data {
	var group []int
	steps := make([][]string, n)
	for i := range steps {
		path := states.walk(r, sequenceLength(r))
		for _, s := range path {
			steps[i] = append(steps[i], symbols[pick(r, weights[s])])
		}
		group = append(group, path...)
	}
	return law.Data{Steps: steps, Group: group}
}

// blurred is weights that are near the given proportions.
func blurred(r *rand.Rand, proportions ...float64) []float64 {
	alpha := make([]float64, len(proportions))
	for j, p := range share(proportions) {
		alpha[j] = 80*p + 0.2
	}
	return dirichlet(r, alpha)
}

// serverStates draws log events of a server.
func serverStates(r *rand.Rand, n int) law.Data {
	symbols := strings.Fields("INFO DEBUG GC SLOW RETRY WARN TIMEOUT ERROR RESTART")
	weights := [][]float64{
		blurred(r, 55, 30, 11, 2, 1, 1, 0, 0, 0),
		blurred(r, 6, 3, 6, 38, 27, 18, 2, 0, 0),
		blurred(r, 2, 0, 1, 3, 5, 9, 37, 34, 9),
	}
	return emitted(r, n, sticky(r, 3, 0.88, 0.95), symbols, weights)
}

// sessionIntents draws page types of shop sessions.
func sessionIntents(r *rand.Rand, n int) law.Data {
	symbols := strings.Fields("home category product photo review search filter cart address payment help contact")
	weights := [][]float64{
		blurred(r, 18, 34, 26, 17, 3, 1, 1, 0, 0, 0, 0, 0),
		blurred(r, 2, 2, 7, 1, 5, 46, 36, 1, 0, 0, 0, 0),
		blurred(r, 1, 0, 3, 0, 2, 1, 0, 38, 29, 26, 0, 0),
		blurred(r, 3, 0, 2, 0, 4, 2, 0, 1, 2, 0, 52, 34),
	}
	return emitted(r, n, sticky(r, 4, 0.82, 0.92), symbols, weights)
}

// intrusionPhases draws events of hosts that are seldom attacked.
func intrusionPhases(r *rand.Rand, n int) law.Data {
	symbols := strings.Fields("login read write http dns auth_fail probe sudo_fail archive upload")
	weights := [][]float64{
		blurred(r, 12, 30, 20, 24, 12, 1, 0.5, 0.3, 0.2, 0.5),
		blurred(r, 2, 1, 0, 2, 5, 34, 44, 12, 0, 0),
		blurred(r, 0, 4, 2, 1, 3, 0, 0, 3, 42, 45),
	}
	quiet := uniform(r, 0.985, 0.99)
	states := chain{
		start: []float64{0.92, 0.06, 0.02},
		move: [][]float64{
			{quiet, (1 - quiet) * 0.85, (1 - quiet) * 0.15},
			{0.1, 0.87, 0.03},
			{0.14, 0.02, 0.84},
		},
	}
	return emitted(r, n, states, symbols, weights)
}

// callStates draws counts of calls by the minute.
func callStates(r *rand.Rand, n int) law.Data {
	rate := []float64{uniform(r, 2, 4), uniform(r, 13, 18), uniform(r, 42, 60)}
	states := sticky(r, 3, 0.82, 0.94)
	var group []int
	steps := make([][]string, n)
	for i := range steps {
		path := states.walk(r, sequenceLength(r))
		for _, s := range path {
			steps[i] = append(steps[i], whole(poisson(r, rate[s])))
		}
		group = append(group, path...)
	}
	return law.Data{Steps: steps, Group: group}
}

// errorKinds are names of errors as columns.
var errorKinds = strings.Fields(`http_404 http_500 http_503 timeout dns_fail tls_fail disk_io oom_kill
	conn_reset auth_fail cache_miss lock_wait`)

// errorsOverExposure draws error counts of hosts with unequal uptime.
func errorsOverExposure(r *rand.Rand, n int) law.Data {
	k := between(r, 8, 12)
	rate := make([]float64, k)
	for j := range rate {
		rate[j] = logNormal(r, -0.2, 0.9)
	}
	tail := uniform(r, 1.4, 2.2)
	table := rows(n, func(int) []string {
		hours := min(pareto(r, 1, tail), 400)
		row := make([]string, k)
		for j := range row {
			row[j] = whole(poisson(r, rate[j]*hours))
		}
		return row
	})
	return law.Data{Columns: errorKinds[:k], Table: table}
}

// callsWithFrailty draws calls of customers by service.
func callsWithFrailty(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("local mobile longdist intl sms mms voicemail support freephone roaming")
	k := len(columns)
	rate := make([]float64, k)
	for j := range rate {
		rate[j] = logNormal(r, 1.1, 0.7)
	}
	common := uniform(r, 0.9, 1.8)
	own := uniforms(r, k, 1.5, 5)
	empty := uniforms(r, k, 0, 0.35)
	table := rows(n, func(int) []string {
		frailty := gamma(r, common, 1/common)
		row := make([]string, k)
		for j := range row {
			x := 0
			if !coin(r, empty[j]) {
				x = negBin(r, rate[j]*frailty, own[j])
			}
			row[j] = whole(x)
		}
		return row
	})
	return law.Data{Columns: columns, Table: table}
}

// eventsByRole draws event counts of machines by role.
func eventsByRole(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("http_get http_post slow_query deadlock smtp_in smtp_out bounce job_start job_end cron ssh swap")
	role := [][]float64{
		{40, 14, 1, 0.3, 0.3, 0.8, 0.1, 1, 1, 3, 2, 1},
		{2, 1, 15, 5, 0.2, 0.5, 0.1, 2, 2, 4, 3, 4},
		{3, 1, 0.4, 0.2, 24, 20, 5, 1, 1, 3, 1, 1},
		{1, 0.5, 3, 0.8, 0.2, 2, 0.2, 16, 15, 8, 2, 5},
	}
	for _, rates := range role {
		for j := range rates {
			rates[j] *= logNormal(r, 0, 0.25)
		}
	}
	activity, size := uniform(r, 3, 8), uniform(r, 2, 5)
	group := assign(r, n, uneven(r, 4))
	table := rows(n, func(i int) []string {
		active := gamma(r, activity, 1/activity)
		row := make([]string, len(columns))
		for j := range row {
			row[j] = whole(negBin(r, active*role[group[i]][j], size))
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}

// portTraffic draws flows by port class.
func portTraffic(r *rand.Rand, n int) law.Data {
	columns := strings.Fields("port_22 port_25 port_53 port_80 port_443 port_445 port_3389 icmp other_low other_high")
	kinds := [][]float64{
		{1, 1.5, 12, 10, 30, 1, 0.5, 1, 2, 6},
		{9, 4, 9, 9, 16, 11, 9, 8, 24, 9},
		{0.5, 0.5, 70, 90, 14, 0.5, 0.3, 22, 1, 3},
	}
	for _, rates := range kinds {
		for j := range rates {
			rates[j] *= logNormal(r, 0, 0.15)
		}
	}
	size := uniform(r, 3, 7)
	group := assign(r, n, rare(r))
	table := rows(n, func(i int) []string {
		row := make([]string, len(columns))
		for j := range row {
			row[j] = whole(negBin(r, kinds[group[i]][j], size))
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}

// callerProfiles draws calls by the time of the day.
func callerProfiles(r *rand.Rand, n int) law.Data {
	shapes := []func(h float64) float64{
		func(h float64) float64 { return 0.05 + hourBump(h, 8, 1.6) },
		func(h float64) float64 { return 0.05 + hourBump(h, 13, 1.8) },
		func(h float64) float64 { return 0.05 + hourBump(h, 19, 1.8) },
		func(h float64) float64 { return 0.05 + hourBump(h, 0.5, 2.2) },
		func(h float64) float64 { return 0.05 + 0.8*hourBump(h, 7, 1.3) + 0.8*hourBump(h, 17, 1.3) },
		func(h float64) float64 { return 0.5 },
	}
	activity := uniform(r, 3, 7)
	level := uniform(r, 60, 100)
	shift := normals(r, len(shapes), 0, 0.4)
	group := assign(r, n, uneven(r, 6))
	table := rows(n, func(i int) []string {
		active := level * gamma(r, activity, 1/activity)
		weights := make([]float64, 12)
		for c := range weights {
			weights[c] = shapes[group[i]](float64(2*c+1) - shift[group[i]])
		}
		share(weights)
		row := make([]string, 12)
		for c := range row {
			row[c] = whole(negBin(r, active*weights[c], 6))
		}
		return row
	})
	var columns []string
	for c := range 12 {
		columns = append(columns, numbered("calls_", 2*c, 1, true)[0]+"h")
	}
	return law.Data{Columns: columns, Table: table, Group: group}
}

// checksBySeverity draws failed checks of hosts.
func checksBySeverity(r *rand.Rand, n int) law.Data {
	k := between(r, 12, 20)
	hard := normals(r, k, 0.4, 1.1)
	sharp := uniforms(r, k, 1, 2.4)
	table := rows(n, func(int) []string {
		weak := r.NormFloat64()
		row := make([]string, k)
		for j := range row {
			row[j] = flag(coin(r, logistic(sharp[j]*(weak-hard[j]))))
		}
		return row
	})
	return law.Data{Columns: numbered("cis_5_", 1, k, true), Table: table}
}

// permissions draws lists of permissions of applications.
func permissions(r *rand.Rand, n int) law.Data {
	names := strings.Fields(`INTERNET NETWORK_STATE VIBRATE WAKE_LOCK STORAGE_READ STORAGE_WRITE CAMERA
		BILLING AD_ID BOOT_COMPLETED PHONE_STATE LOCATION_COARSE INSTALL_SHORTCUT GET_TASKS
		READ_SMS SEND_SMS READ_CONTACTS RECORD_AUDIO CALL_LOG LOCATION_FINE ACCESSIBILITY OVERLAY`)
	group := assign(r, n, rare(r))
	chance := make([][]float64, 3)
	for g := range chance {
		chance[g] = uniforms(r, len(names), 0.02, 0.1)
		for j := range names {
			switch {
			case j < 2:
				chance[g][j] = uniform(r, 0.85, 0.97)
			case j < 8:
				chance[g][j] = uniform(r, 0.15, 0.5)
			case j < 14 && g == 1, j >= 14 && g == 2:
				chance[g][j] = uniform(r, 0.7, 0.92)
			}
		}
	}
	lists := make([][]string, n)
	for i, g := range group {
		lists[i] = []string{}
		for j, name := range names {
			if coin(r, chance[g][j]) {
				lists[i] = append(lists[i], name)
			}
		}
	}
	return law.Data{Lists: lists, Group: group}
}

// householdServices draws which services subscribers take.
func householdServices(r *rand.Rand, n int) law.Data {
	columns := strings.Fields(`fibre landline mobile tv sport_pack film_pack cloud antivirus router_rent
		roaming_pack paperless insurance gaming_pack second_sim`)
	chance := [][]float64{uniforms(r, len(columns), 0.2, 0.45), make([]float64, len(columns))}
	for j, p := range chance[0] {
		chance[1][j] = p + uniform(r, 0.25, 0.42)
		if j%2 == 1 {
			chance[0][j], chance[1][j] = chance[1][j], chance[0][j]
		}
	}
	group := assign(r, n, uneven(r, 2))
	table := rows(n, func(i int) []string {
		row := make([]string, len(columns))
		for j := range row {
			row[j] = flag(coin(r, chance[group[i]][j]))
		}
		return row
	})
	return law.Data{Columns: columns, Table: table, Group: group}
}
