package surveys

// diagnoses are codes of the international classification of diseases, the commoner
// ones first.
var diagnoses = []string{
	"I10", "E78.5", "E11.9", "M54.5", "F32.9", "K21.9", "J45.9", "E66.9", "M17.9", "I25.1",
	"E03.9", "F41.1", "J44.9", "N18.3", "I48.9", "G47.3", "M81.0", "H25.9", "D50.9", "K57.3",
	"L20.9", "J30.4", "N39.0", "G43.9", "N40", "I50.0", "F17.2", "E55.9", "K58.9", "H40.1",
	"M10.9", "I63.9", "C50.9", "C61", "F03", "I73.9", "K80.2", "H90.5", "R32", "M06.9",
	"F10.2", "N20.0", "I83.9", "K40.9", "E05.9", "L40.0", "M79.7", "D64.9", "G40.9", "F31.9",
	"B18.2", "K70.3", "G20", "S72.0", "F20.9", "K50.9", "N80.9", "E28.2", "G35", "I71.4",
	"M32.9", "N18.5", "Z94.0", "F90.0", "L70.0", "H66.9", "J06.9", "A09", "N92.0", "B34.9",
	"C18.9", "C34.9", "D63.0", "R64", "Z51.1", "T86.1", "B25.9", "E87.5", "D84.9", "N25.8",
}

// groceries are what baskets hold.
var groceries = []string{
	"milk", "bread", "eggs", "butter", "bananas", "apples", "yoghurt", "cheese", "chicken", "tomatoes",
	"potatoes", "onions", "carrots", "rice", "pasta", "coffee", "tea", "sugar", "flour", "olive oil",
	"beer", "red wine", "cola", "juice", "water", "crisps", "chocolate", "biscuits", "ice cream", "frozen pizza",
	"salmon", "minced beef", "sausages", "ham", "prawns", "lettuce", "cucumber", "peppers", "avocado", "mushrooms",
	"strawberries", "oranges", "grapes", "pumpkin", "asparagus", "cereal", "honey", "jam", "mustard", "soup",
	"tinned tuna", "beans", "lentils", "tofu", "oat drink", "nappies", "wipes", "cat food", "dog food", "detergent",
	"toilet paper", "toothpaste", "shampoo", "candles", "charcoal", "gingerbread", "sun cream", "batteries", "flowers", "magazine",
}

// activities are what people do in their free time.
var activities = []string{
	"opera", "ballet", "museum", "gallery", "theatre", "cinema", "concert", "festival", "jazz_club", "library",
	"reading", "poetry", "crosswords", "chess", "card_games", "bingo", "betting", "pub", "restaurant", "clubbing",
	"football", "running", "gym", "swimming", "cycling", "hiking", "fishing", "hunting", "golf", "tennis",
	"gardening", "diy", "sewing", "cooking", "baking", "painting", "choir", "church_group", "volunteering", "political_club",
	"video_games", "streaming", "social_media", "podcasts", "camping", "car_repair", "shopping_trip", "zoo", "theme_park", "pets",
}

// causes are the petitions that people sign.
var causes = []string{
	"clean_rivers", "school_meals", "rent_cap", "free_transit", "night_trains", "bike_lanes", "carbon_tax", "wind_parks",
	"animal_welfare", "organic_farms", "living_wage", "union_rights", "open_borders", "refugee_homes", "gender_quota", "voting_at_16",
	"basic_income", "wealth_tax", "public_housing", "smaller_classes", "local_hospital", "broadband", "village_shops", "road_repair",
	"police_patrols", "property_tax_cut", "fuel_price", "farm_subsidy", "hunting_rights", "speed_limit_off", "nuclear_power", "airport",
	"border_control", "sentencing", "flag_law", "family_bonus", "church_bells", "defence_budget", "deregulation", "flat_tax",
}

// topic is a question of a social survey and its answers, which have no order.
type topic struct {
	name   string
	labels []string
}

// topics are questions of social surveys.
var topics = []topic{
	{"priority", []string{"order", "more_say", "prices", "free_speech"}},
	{"child_value", []string{"obedience", "independence", "diligence", "tolerance", "thrift"}},
	{"news_source", []string{"tv", "radio", "paper", "online", "friends"}},
	{"job_wish", []string{"security", "pay", "interest", "hours"}},
	{"housing", []string{"owner", "tenant", "family", "shared"}},
	{"holiday", []string{"home", "seaside", "city", "mountains", "abroad"}},
	{"main_worry", []string{"crime", "climate", "prices", "health", "migration"}},
	{"spend_first", []string{"schools", "hospitals", "police", "roads"}},
	{"transport", []string{"car", "bus", "train", "bike", "walk"}},
	{"music", []string{"pop", "classical", "rock", "folk", "hiphop"}},
	{"welfare_view", []string{"right", "charity", "duty"}},
	{"marriage_view", []string{"sacred", "contract", "outdated"}},
	{"best_leader", []string{"expert", "tradition", "elected"}},
	{"why_poor", []string{"bad_luck", "laziness", "injustice", "progress"}},
	{"help_from", []string{"family", "neighbours", "office", "church", "nobody"}},
	{"shop_at", []string{"market", "discounter", "supermarket", "online"}},
	{"evening", []string{"tv", "friends", "reading", "sport", "work"}},
	{"identity", []string{"town", "region", "country", "europe", "world"}},
}

// someTopics returns the names and labels of k topics in a random order.
func someTopics(order []int, k int) (names []string, labels [][]string) {
	for _, j := range order[:min(k, len(order))] {
		names = append(names, topics[j].name)
		labels = append(labels, topics[j].labels)
	}
	return names, labels
}
