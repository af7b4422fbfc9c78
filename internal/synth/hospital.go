package synth

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/stream"
)

// Patient is one person of an example hospital.
type Patient struct {
	ID      string
	Age     int
	Sex     string   // "F" or "M"
	Codes   []string // ICD-9-CM categories, the reason for the stay first
	Profile string   // the clinical picture that made the record: the truth
}

// profile is a clinical picture: its weight, its people, and how often its
// diagnoses are found in them, in per cent.
type profile struct {
	name   string
	weight float64
	age    [2]float64 // mean and standard deviation
	women  float64    // share
	codes  string     // "428:90 427:45": category and per cent
}

// profiles are pictures that every hospital sees. The diagnoses are those that
// textbooks name together; the numbers are rounded guesses, not data.
func profiles() []profile {
	return []profile{
		{
			"heart failure with kidney disease", 12,
			[2]float64{77, 9},
			.5,
			"428:88 585:62 403:48 427:46 414:44 285:38 276:36 250:34 584:33 272:24 424:22 425:16 274:12 244:14 511:13 V45:20",
		},
		{
			"chronic obstructive lung disease", 11,
			[2]float64{70, 10},
			.45,
			"491:64 496:42 305:46 518:38 401:40 786:28 428:16 300:16 V15:24 V46:18 530:20 466:14 493:12 327:12 416:10",
		},
		{
			"diabetes with complications", 10,
			[2]float64{62, 13},
			.45,
			"250:95 357:36 707:32 583:26 362:24 682:24 440:20 443:20 401:54 272:42 585:18 730:14 V58:38 278:28 536:12 785:9",
		},
		{
			"childbirth", 14,
			[2]float64{29, 6},
			1,
			"V27:94 650:34 664:38 644:12 663:20 656:18 654:24 648:24 645:16 661:14 659:22 642:12 658:14 646:12 V22:8 652:8",
		},
		{
			"injury", 11,
			[2]float64{44, 22},
			.4,
			"E885:30 E812:26 E849:42 820:20 813:18 824:16 805:13 807:18 850:17 873:22 924:20 923:14 920:13 305:22 823:12 821:9 860:10 865:6 852:11",
		},
		{
			"mental health", 10,
			[2]float64{40, 14},
			.48,
			"296:58 305:46 300:38 303:26 304:28 311:20 295:22 309:14 301:22 V62:34 307:10 291:11 292:13 V15:16 977:8",
		},
		{
			"cancer under treatment", 10,
			[2]float64{63, 12},
			.5,
			"197:40 198:36 196:27 285:38 276:28 787:26 V58:38 162:20 153:14 174:14 288:25 284:13 V10:18 338:24 263:16 199:8 202:9",
		},
		{
			"pneumonia in the elderly", 10,
			[2]float64{82, 8},
			.55,
			"486:74 507:24 518:36 276:42 290:20 294:22 331:20 599:26 038:19 995:17 438:12 787:20 263:16 401:42 V66:9 780:26 332:10",
		},
		{
			"coronary disease", 12,
			[2]float64{66, 11},
			.35,
			"414:88 410:42 411:24 413:20 272:64 401:60 V45:42 412:22 305:30 427:20 V17:14 250:26 786:24 440:7 433:9",
		},
		{
			"abdominal surgery", 9,
			[2]float64{54, 17},
			.55,
			"574:32 540:16 560:23 562:24 550:13 553:16 575:19 577:18 530:22 568:15 789:36 567:11 997:16 998:12 211:10 565:6 V64:8",
		},
		{
			"stroke", 8,
			[2]float64{74, 11},
			.52,
			"434:50 431:14 342:46 784:40 433:27 427:30 401:66 272:40 438:22 435:16 787:19 430:6 348:12 437:14 V12:14 780:18",
		},
		{
			"newborns", 8,
			[2]float64{0, 0},
			.49,
			"V30:82 V05:56 774:32 765:24 770:20 779:15 V29:20 766:11 775:11 V50:22 771:6 769:8 778:10 762:8",
		},
	}
}

// chronic are diseases that come with the years whatever brought a person in:
// category and per cent at the age of 75.
const chronic = "401:38 272:26 530:14 250:15 414:14 244:10 285:9 276:8 427:11 305:9 278:9 311:8 300:7 715:12 733:8 " +
	"496:7 428:6 585:5 599:6 403:3 518:3 V45:7 V58:7 V10:6 V12:5 V15:7 786:6 780:6 787:4 789:5 440:3 443:3 600:5 366:5 365:3 294:2"

// everyday are further categories that anybody may have, the more frequent
// ones first.
const everyday = "724 716 719 722 729 726 477 493 473 462 465 466 490 558 564 569 578 592 593 595 596 610 611 614 616 " +
	"618 625 626 627 681 692 695 696 698 702 706 709 714 717 718 721 723 727 728 735 736 737 738 346 345 333 354 355 356 368 369 " +
	"372 379 380 381 382 386 388 389 451 453 454 455 456 458 459 470 471 472 474 478 520 521 522 525 527 528 529 531 532 533 535 " +
	"536 537 110 112 041 053 054 070 078 079 214 216 218 220 225 241 242 246 252 255 266 268 273 275 277 280 281 286 287 289 298 " +
	"310 314 319 335 336 337 340 344 349 350 351 352 353 358 359 374 375 377 378 447 448 457 464 475 480 482 487 492 500 510 512 " +
	"514 515 516 519 524 526 543 555 556 557 566 571 572 573 576 579 580 581 582 588 590 591 594 597 598 601 602 603 604 605 607 " +
	"608 617 619 620 621 622 623 624 628 680 684 685 686 690 691 693 694 697 701 703 704 705 708 710 711 712 713 720 725 731 732 734"

const (
	everydayCodes = 1.1 // of them a grown patient, on average
	leastCodes    = 2   // of a patient
)

// Hospital makes the patients of an example hospital, of a dozen clinical
// pictures that a doctor would recognise; the seed changes how frequent the
// pictures and their diagnoses are, and everything by chance.
func Hospital(seed uint64, n int) []Patient {
	r := stream.New(seed, "synth/hospital")
	all := profiles()
	weights := make([]float64, len(all))
	tables := make([][]share, len(all))
	for j, p := range all {
		weights[j] = p.weight * math.Exp(0.35*r.NormFloat64())
		tables[j] = p.shares(r)
	}
	always, aged := backgroundShares(r)
	out := make([]Patient, n)
	for i := range out {
		j := pickWeighted(r, weights)
		out[i] = all[j].patient(r, tables[j], always, aged)
		out[i].ID = "P" + strconv.Itoa(100001+i)
	}
	return out
}

// share is how often a category is found.
type share struct {
	code string
	p    float64
}

// shares reads the table of a profile and moves every number a little.
func (p *profile) shares(r *rand.Rand) []share {
	var out []share
	for _, f := range strings.Fields(p.codes) {
		code, per, _ := strings.Cut(f, ":")
		v, err := strconv.ParseFloat(per, 64)
		if err != nil || v <= 0 {
			continue
		}
		odds := v / (100 - v) * math.Exp(0.3*r.NormFloat64())
		out = append(out, share{code, odds / (1 + odds)})
	}
	return out
}

// backgroundShares returns what anybody may have, a falling law whose order the
// seed changes a little, and how much of it grows with age.
func backgroundShares(r *rand.Rand) (always, aged []share) {
	names := strings.Fields(everyday)
	rank := make(map[string]float64, len(names))
	for i, name := range names {
		rank[name] = float64(i+8) * math.Exp(0.4*r.NormFloat64())
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b)) })
	sum := 0.0
	for i, name := range names {
		p := 1 / float64(i+10)
		sum += p
		always = append(always, share{name, p})
	}
	for i := range always {
		always[i].p *= everydayCodes / sum
	}
	p := profile{codes: chronic}
	return always, p.shares(r)
}

// patient draws one person of the profile.
func (p *profile) patient(r *rand.Rand, own, always, aged []share) Patient {
	out := Patient{Profile: p.name, Sex: "M"}
	if r.Float64() < p.women {
		out.Sex = "F"
	}
	out.Age = int(math.Max(0, math.Min(104, math.Round(p.age[0]+p.age[1]*r.NormFloat64()))))
	if p.name == "childbirth" {
		out.Age = min(max(out.Age, 15), 48)
	}
	severity := math.Exp(0.25 * r.NormFloat64())
	for len(out.Codes) < leastCodes {
		out.Codes = out.Codes[:0]
		out.draw(r, own, severity)
		if out.Age > 0 { // newborns have nothing yet of what comes with life
			out.draw(r, aged, years(out.Age))
			out.draw(r, always, 1)
		}
	}
	return out
}

// draw adds categories by chance, each once.
func (p *Patient) draw(r *rand.Rand, list []share, factor float64) {
	for _, s := range list {
		if r.Float64() < math.Min(.97, s.p*factor) && !slices.Contains(p.Codes, s.code) {
			p.Codes = append(p.Codes, s.code)
		}
	}
}

// years says how much of what comes with age is there.
func years(age int) float64 {
	return math.Max(0.04, math.Min(1.2, float64(age-25)/50))
}

// pickWeighted draws a number by weight.
func pickWeighted(r *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := r.Float64() * sum
	for j, w := range weights {
		if u -= w; u < 0 {
			return j
		}
	}
	return len(weights) - 1
}
