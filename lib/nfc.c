#include <string.h>

#include "nfc.h"
#include "utf8.h"

/* Per mark: letter, composed, letter, composed, ... */
static const struct {
	uint32_t mark;
	const char *pairs;
} table[] = {
	{0x0300,
	    "aàeèiìoòuùüǜnǹеѐиѝēḕōṑwẁâầăằêềôồơờưừyỳἀἂἁἃἐἒ"
	    "ἑἓἠἢἡἣἰἲἱἳὀὂὁὃὐὒὑὓὠὢὡὣαὰεὲηὴιὶοὸυὺ"
	    "ωὼϊῒϋῢ"},
	{0x0301,
	    "aáeéiíoóuúyýcćlĺnńrŕsśzźüǘgǵåǻæǽøǿϊΐαάεέηήιίϋΰοόυύωώϒϓгѓ"
	    "кќçḉēḗïḯkḱmḿõṍōṓpṕũṹwẃâấăắêếôốơớưứἀἄἁἅἐἔ"
	    "ἑἕἠἤἡἥἰἴἱἵὀὄὁὅὐὔὑὕὠὤὡὥ"},
	{0x0302, "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷzẑạậẹệọộ"},
	{0x0303, "aãnñoõiĩuũvṽâẫăẵeẽêễôỗơỡưữyỹ"},
	{0x0304, "aāeēiīoōuūüǖäǟȧǡæǣǫǭöȫõȭȯȱyȳиӣуӯgḡḷḹṛṝαᾱιῑυῡ"},
	{0x0306, "aăeĕgğiĭoŏuŭийуўжӂаӑеӗȩḝạặαᾰιῐυῠ"},
	{0x0307, "cċeėgġzżaȧoȯbḃdḋfḟhḣmṁnṅpṗrṙsṡśṥšṧṣṩtṫwẇxẋyẏſẛ"},
	{0x0308,
	    "aäeëiïoöuüyÿιϊυϋϒϔеёіїаӓәӛжӝзӟиӥоӧөӫэӭуӱчӵыӹhḧõṏūṻwẅ"
	    "xẍtẗ"},
	{0x0309, "aảâẩăẳeẻêểiỉoỏôổơởuủưửyỷ"},
	{0x030a, "aåuůwẘyẙ"},
	{0x030b, "oőuűуӳ"},
	{0x030c, "cčdďeělľnňrřsštťzžaǎiǐoǒuǔüǚgǧkǩʒǯjǰhȟ"},
	{0x030f, "aȁeȅiȉoȍrȑuȕѵѷ"},
	{0x0311, "aȃeȇiȋoȏrȓuȗ"},
	{0x0313, "αἀεἐηἠιἰοὀυὐωὠρῤ"},
	{0x0314, "αἁεἑηἡιἱοὁυὑωὡρῥ"},
	{0x031b, "oơuư"},
	{0x0323, "bḅdḍhḥkḳlḷmṃnṇrṛsṣtṭvṿwẉzẓaạeẹiịoọơợuụưựyỵ"},
	{0x0324, "uṳ"},
	{0x0325, "aḁ"},
	{0x0326, "sștț"},
	{0x0327, "cçgģkķlļnņrŗsştţeȩdḑhḩ"},
	{0x0328, "aąeęiįuųoǫ"},
	{0x032d, "dḓeḙlḽnṋtṱuṷ"},
	{0x032e, "hḫ"},
	{0x0330, "eḛiḭuṵ"},
	{0x0331, "bḇdḏkḵlḻnṉrṟtṯzẕhẖ"},
	{0x0342, "ἀἆἁἇἠἦἡἧἰἶἱἷὐὖὑὗὠὦὡὧαᾶηῆιῖϊῗυῦϋῧωῶ"},
	{0x0345,
	    "ἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗ"
	    "ὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὰᾲαᾳάᾴᾶᾷὴῂηῃήῄῆῇὼῲ"
	    "ωῳώῴῶῷ"},
	{0x0653, "اآ"},
	{0x0654, "اأوؤيئەۀہۂےۓ"},
	{0x0655, "اإ"},
	{0x3099,
	    "かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてで"
	    "とどはばひびふぶへべほぼうゔゝゞカガキギクグケゲコゴサザ"
	    "シジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボ"
	    "ウヴワヷヰヸヱヹヲヺヽヾ"},
	{0x309a, "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"},
};

/* Hangul is arithmetic: a lead, a vowel, a tail. */
enum {
	SYLLABLE = 0xac00,
	LEAD = 0x1100,
	VOWEL = 0x1161,
	TAIL = 0x11a7,
	LEADS = 19,
	VOWELS = 21,
	TAILS = 28,
	SYLLABLES = LEADS * VOWELS * TAILS
};

static uint32_t
hangul(uint32_t a, uint32_t b)
{
	if (a >= LEAD && a < LEAD + LEADS && b >= VOWEL && b < VOWEL + VOWELS)
		return SYLLABLE
		    + ((a - LEAD) * VOWELS + (b - VOWEL)) * TAILS;
	if (a >= SYLLABLE && a < SYLLABLE + SYLLABLES
	    && (a - SYLLABLE) % TAILS == 0 && b > TAIL && b < TAIL + TAILS)
		return a + (b - TAIL);
	return 0;
}

uint32_t
nfc_pair(uint32_t letter, uint32_t mark)
{
	const char *s, *end;
	uint32_t a, b;
	size_t i;

	if (mark < table[0].mark)
		return 0;
	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (table[i].mark != mark)
			continue;
		s = table[i].pairs;
		end = s + strlen(s);
		while (s < end) {
			s += utf8_get(s, (size_t)(end - s), &a);
			s += utf8_get(s, (size_t)(end - s), &b);
			if (a == letter)
				return b;
		}
		return 0;
	}
	return hangul(letter, mark);
}

void
nfc_text(struct buf *b, const char *s, size_t n)
{
	uint32_t cp, last = 0, both;
	size_t i, len, at = 0; /* of last, in b */

	for (i = 0; i < n; i += len) {
		len = utf8_get(s + i, n - i, &cp);
		if (len == 0) { /* not ours to repair */
			len = 1;
			buf_putc(b, s[i]);
			last = 0;
			continue;
		}
		both = last == 0 ? 0 : nfc_pair(last, cp);
		if (both != 0)
			b->n = at;
		at = b->n;
		last = both != 0 ? both : cp;
		utf8_put(b, last);
	}
}
