# The words of pages in English. Form: https://projectfluent.org. Every language has the same lines.

## Signs

lbrace = { "{" }
colon = :{ " " }
semicolon = ;{ " " }
comma = ,{ " " }
open-paren = { " " }(
close-paren = )

## Languages, each in itself, so that a reader finds his own

own-zh-Hant = 繁體
own-zh-Hans = 简体
own-en = English

## The frame of a page

skip = Skip to the text
contents = Contents
jump = Go to (words, 2.3 or yili.05.2.3)
jump-search = Search the texts for these words
close = Close
cite = Cite this passage
cite-words = Words
cite-urn = URN
cite-link = Address
cite-style = Style of citation
collected = Collected sentences
collected-none = No sentence is collected yet. “Add” in “Cite” collects one, on any page.
collected-about = zhushu export OUT --passages @passages.txt --to docx makes a handout of the saved list: the sentences with notes and translation.
collect-add = Add
collect-show = Show all
collect-remove = Remove
collect-copy = Copy the list
collect-save = Save the list
collect-clear = Remove all
copy = Copy
sections = Sections
chapters-count = { $n ->
    [one] { $n } chapter
   *[other] { $n } chapters
 }
sections-count = { $n ->
    [one] { $n } section
   *[other] { $n } sections
 }
section-n = Section { $n }
all-sections = All sections
previous-page = ← Previous page
next-page = Next page →
previous-text = ← Previous text:{ " " }
next-text = Next text:{ " " }
made-by = Made by zhushu { $version }.
scripts-off = Without scripts these do not work: search, the contents beside the text, double rows, conversion of characters, the choice of language, citing, references in place, what a mark says, and keys.

## The bar

display = Display
layout = Layout
layout-jing = Classic only
layout-jing-about = The classic without its commentaries (key 1)
layout-jia = Double rows
layout-jia-about = Notes in double rows within the classic (key 2)
layout-xia = Notes below
layout-xia-about = Notes below the classic (key 3)
layout-lan = Columns
layout-lan-about = Parallel columns: classic, commentaries, translation (key 4)
layout-zhi = Vertical
layout-zhi-about = Vertical, with notes in double rows (key 5)
layout-ge = A column each
layout-ge-about = Each commentary in a column of its own, as many as there is room for (key 6)
read-beside = Beside it
layers = Layers
script = Characters
script-original = Original
script-original-about = Characters of the source
script-simplified = Simplified
script-simplified-about = Converted into simplified characters
script-traditional = Traditional
script-traditional-about = Converted into traditional characters
doubt = Doubtful
doubt-no = Not marked
doubt-no-about = What is doubtful is not tinted
doubt-about = Tints what is less certain than this
legend = What the marks mean
legend-reference = a reference that was placed
legend-uncertain = its place is uncertain
legend-unplaced = its place was not found
legend-tint = less certain than the chosen threshold
legend-cited = how many references lead here
legend-variants = how many other readings are reported
legend-repair = a damaged character, repaired
legend-reading = a probable other reading
legend-bead = this translation may not belong here
size = Size
size-s = Small
size-m = Medium
size-l = Large
colours = Colours
colours-auto = System
colours-light = Light
colours-dark = Dark
language = Language
switch-translation = Translation
switch-translation-about = The translation beside the text
switch-classic = Classic
switch-classic-about = The classic beside the text
switch-repairs = Repairs
switch-repairs-about = Damaged characters repaired; if off, they are shown as in the source
switch-supplied = Supplied marks
switch-supplied-about = Punctuation that the source does not have: of a copy, or as a program expects it; pale marks are doubtful
marks = Marks
switch-marks = Marks in the text
switch-marks-about = Numbers, references, counts and doubts shown in the text itself; if off, at the sentence one points at, and beside it
panel = About this sentence
panel-said = Commentary
panel-beside = Translation
panel-from = Quoted by
panel-to = Quotes
panel-read = Readings
panel-gloss = Glosses
panel-gloss-all = In the notes of all texts
panel-cite = Cite
panel-before = Sentence before
panel-next = Next sentence

## Within the text

title-supplied = Title supplied from the text
undivided = Classic and commentary are not separated here
no-header = Without a lemma header
beside-translation = Tr.
beside-classic = Cl.
no-counterpart-here = No counterpart here
match-decided = Counterpart decided by a person
uncertain-match = Uncertain counterpart
referred-count = { $n ->
    [one] { $n } reference to this
   *[other] { $n } references to this
 }
readings-count = { $n ->
    [one] { $n } other reading
   *[other] { $n } other readings
 }
referred = Referred to by
readings = Other readings
more-characters = { $n ->
    [one] { $n } more character
   *[other] { $n } more characters
 }
start-decided = Start decided by a person
start-uncertain = Uncertain start
start-perhaps = The program thinks that this begins here:{ " " }
start-certainty = . Certainty{ " " }
read-as-repaired = read
usual-form = usual form
supplied = supplied
in-source = in the source
lost-and-supplied = lost, supplied by the transcription
lost = lost
witness-has = another witness has
same-elsewhere = { $n ->
    [one] the same words in { $n } other place
   *[other] the same words in { $n } other places
 }
same-in-places = the words are in { $n } places
go-there = Go there →
more = More
leaf-image = Image of the leaf
leaf-before = Leaf before
leaf-after = Next leaf
leaf-own = Open the image by itself
leaf-missing = The image cannot be loaded
name-person = Person
name-place = Place
name-organisation = Organisation
name-office = Office
name-date = Date
omits = om.
deletes = del.
lemma-unknown = 〔unknown which word〕

## Special characters

char-entity = A character named by an entity, not in Unicode when the file was made
char-lost = A character missing or unreadable in the source
char-private = A private-use character
char-rare = A rare character that fonts may lack
char-control = A control character
char-invisible = An invisible character

## The foot of a page

in-library = In the library
not-placed = What could not be placed
list-page = Page { $n } of { $all }
lost-headers = Lemma headers that do not fit their passage
lost-headers-about = The header or the text may be damaged, or the paragraph may have moved. Compare another copy (--with), or decide in the review.
lost-words = Words that are not where they should be
lost-words-about = They may be quoted freely, damaged, or from elsewhere. Compare another copy, or decide in the review.
lost-several = The same words are in several places
lost-several-about = Decide which of them is meant, or leave it open.
lost-titles = Titles that are not in the list of works
lost-titles-about = Add the work to a list of your own (--works).
lost-works = Works that are not here
lost-works-about = This is no failure. Put the work into the corpus or into your library (zhushu library add), and its words are looked for.
lost-said = Words that the text itself says are not there
lost-said-about = There is nothing to do.
named-only = Cited by title only
no-counterpart-page = No counterpart on this page
uncertain = What is uncertain
remarks = Remarks of the program
left-out = Left out of the page
left-out-counts = Page furniture: { $lines } lines; marks of layers: { $marks }
source = Source
source-work = Work
source-siglum = Siglum
source-file = File
source-beside = Beside
source-layers = Layers
characters-count = { $n ->
    [one] { $n } character
   *[other] { $n } characters
 }
bare-sentences = { $n ->
    [one] { $n } sentence without counterpart
   *[other] { $n } sentences without counterpart
 }
keys = Keys
key-sentences = Next and previous sentence
key-along = Along vertical text, as the wheel; also Page Up, Page Down, Home, End
key-layouts = Layouts: classic only, double rows, notes below, columns, vertical, a column for each commentary
key-pages = Previous and next page
key-contents = Contents, and going to a place
key-jump = Go to a locus, a title or words
key-cite = How to cite the sentence or what is selected
key-search = Search
key-script = Original or converted characters
key-list = This list
key-close = Close what is open

## General pages

general-pages = General pages
apparatus = Apparatus
figures = Figures
other-texts = Other texts
about = About this edition
nothing = Nothing
alignments = Alignments
translation = Translation
segments-count = { $n ->
    [one] { $n } segment
   *[other] { $n } segments
 }
inferred-starts = Inferred starts: { $n }
of-these-uncertain = uncertain: { $n }
undivided-count = undivided: { $n }
references-placed = References placed: { $n } of { $all }
collation = Collation
collation-others = Collation with other witnesses
collation-of = Collation:{ " " }
base-text = Base text
base-text-colon = Base text:{ " " }
beads = Matched: { $both } (uncertain: { $low }); only in the classic: { $source }; only in the translation: { $translation }
footer = From the files named on each page. A certainty is the program’s own estimate; pages show it where it is below { $review }. Each page shows the source text as in its file.
about-how = How this edition was made
about-text = Each text was read from one file, and these pages show its text unchanged. Where the file does not mark the layers, the program separated them; it also placed references and aligned translations. Each inference has a certainty, which is the program’s own estimate, and the evidence for it.
characters-by-layer = Characters by layer, without punctuation
starts-by-certainty = Inferred starts of segments by certainty
references-by-certainty = References placed, by certainty
aligned-by-certainty = Aligned, by certainty
sources-rights = Sources and rights
how-to-cite = How to cite
for-managers = For reference managers:{ " " }
passage-address = A passage is named by work, chapter, section and sentence. Its address on these pages:{ " " }
passage-urn = Its URN:{ " " }
differences = Differences
collation-foot = The text is that of the first witness; after each difference are the witnesses that differ, with their reading.
lacuna-ends = lacuna ends
lacuna-begins = lacuna begins
elsewhere = elsewhere
middle-left-out = …〔{ $n } characters〕…
differ-graphic = Variant form
differ-damage = Conversion error
differ-punctuation = Punctuation
differ-substantive = Other reading
differ-omission = Omission
differ-addition = Addition
differ-transposition = Transposition
differ-lacuna = Lacuna
changes = Changes
change-place = Place
change-kind = Kind
change-words = Words
change-old = Old
change-new = New
nothing-changed = Nothing changed

## The search box

search = Search
ask-unavailable = Search is not available:{ " " }
ask-reading = Reading { $n } of { $all } …
ask-characters = Characters
ask-variants = with variants
ask-scripts = both scripts
ask-typed = as typed
ask-within = In
ask-everywhere = all texts
ask-here = this chapter
ask-order = Order
ask-classics-first = classics first
ask-place = place
ask-left = what precedes
ask-right = what follows
ask-crossing = across notes
ask-language = Query language
ask-across = across lines and notes
ask-layer = in a layer
ask-by = who speaks; also work: chapter: witness:
ask-both = both in one note; also OR, NOT
ask-near = at most 5 characters between
ask-any = any one character
ask-regex = a regular expression
ask-relation = notes on a passage with 射
ask-shown = { $n } of { $all }
ask-none = Nothing found
ask-leaf = Leaf
ask-more = More
ask-no-such = There is no “
ask-no-others = ”, nor any other name of this kind
ask-there-are = ”; there are:{ " " }
verify-title = Check quotations
verify-paste = Paste a text with quotations:{ " " }
verify-verbatim = verbatim
verify-punctuation = other punctuation
verify-script = the other script
verify-variants = variant characters
verify-elsewhere = elsewhere than cited
verify-differs = with differences
verify-near = only nearly there
verify-not-found = not found here
verify-work-absent = the text cited is not here
verify-too-short = too short
verify-not-checked = not checked here (something is left out)
verify-title-unknown = (no text here has this title)
verify-unread = (where it is from was not checked)
verify-checked = { $n } checked, { $short } too short.
verify-left = { $n } not checked: too long, or too many.
verify-elsewhere-perhaps = What is not found here may be in other books.
fact-edition = Edition
fact-editors = Editors
fact-date = Date
fact-origin = Origin
fact-rights = Rights

## Review, in the pages of `serve --review`

review = Review
review-left = { $n ->
    [one] { $n } question left
   *[other] { $n } questions left
 }
review-decided = { $n } decided
review-next = Next
review-previous = Previous
review-best = Most instructive
review-undo = Undo
review-undone = Undone
review-written = Written
review-failed = Not written:{ " " }
review-computing = Computing …
review-changed = { $n ->
    [one] { $n } place changed
   *[other] { $n } places changed
 }
review-nothing = Nothing is left to be decided in this text
review-ask-cut = Does another layer begin here?
review-ask-layer = Which layer is this?
review-ask-reading = Is this character right?
review-ask-link = Where does this lead?
review-ask-bead = What corresponds to this in the translation?
review-ask-speaker = Who says this?
review-ask-heading = Is this line a heading?
review-ends = { " " }ends,{ " " }
review-begins = { " " }begins
review-goes-on = { " " }goes on, no border
review-this-is = This is{ " " }
review-is-right = { " " }is right
review-is-meant = { " " }is meant
review-leads-to = leads to{ " " }
review-no-reference = this is no reference
review-has-nothing = { " " }has nothing for this
review-says = { " " }says this
review-nobody-says = nobody who is named says this
review-chapter = a chapter begins here
review-heading = another heading
review-no-heading = text, no heading
review-answers = Answers
review-border = Border
review-border-back = Move the border back by a character
review-border-on = Move the border on by a character
review-other-layer = Another layer
review-note = Note
review-decide = Decide
review-skip = Skip
review-close = Close
review-evidence = Evidence

## Layers: names, and what they are

layer-jing = Classic
layer-jing-about = The classic
layer-zhuan = Zhuan
layer-zhuan-about = A tradition handed down with the classic, such as 喪服傳 or 左傳
layer-zhu = Notes
layer-zhu-about = A commentary on the classic
layer-jian = Jian
layer-jian-about = A second commentary beside the first, such as 鄭箋
layer-bie = Further notes
layer-bie-about = A further commentary beside the first, such as 解, 索隱, 集注
layer-yin = Glosses
layer-yin-about = Readings of characters
layer-ju = Judou
layer-ju-about = Notes of 張爾岐's 句讀
layer-jishi = Jishi
layer-jishi-about = 李如圭's explanations, opened by 釋曰
layer-an = Editors
layer-an-about = Editors' collation notes
layer-shu-header = Lemma header
layer-shu-header-about = The lemma header of a sub-commentary
layer-shu = Subcommentary
layer-shu-about = The sub-commentary on classic and commentary
layer-label = Label
layer-label-about = A label that closes a section, 右…
layer-heading = Titles
layer-heading-about = Titles of work, chapter and section
layer-translation = Translation
layer-translation-about = A modern translation
layer-yizhu = Notes on translation
layer-yizhu-about = A translator's notes on a modern translation
layer-other = Other
layer-other-about = Text of the book outside its layers, such as a preface
layer-undivided = Undivided
layer-undivided-about = Classic and commentary not yet separated
layer-mark = Marks
layer-mark-about = What the source uses to set layers apart
layer-furniture = Furniture
layer-furniture-about = Page furniture, front matter, repeated pages
layer-blank = Blanks
layer-blank-about = Line ends and blanks between paragraphs

## Codes of the model: references, differences, evidence, remarks


## Kinds of references

code-circle-habit = nearly every circle in the notes opens readings
code-label-in-line = a word in the text names the layer
code-labels-in-line = words in the text name the layers
code-lemma = what a lemma header explains
code-quotation = words quoted from the passage
code-citation = another work or chapter
code-internal = another place of this text
code-parallel = the same text elsewhere

## How a reading differs

code-other = reads otherwise
code-lacks = does not have the words
code-adds = adds words
code-read-as = reads as another word
code-emends = corrects a word

## How well a place was found

code-exact = the same characters
code-reads-as-layer = the text reads like this layer from here on
code-variant = the same words, some in variant characters
code-paraphrase = the meaning, in other words
code-range = from one place to another
code-title-only = title known, words not found
code-unresolved = not placed

## Evidence

code-means = means
code-refers-to = refers to
code-is-like = is like
code-sound-gloss = a gloss by sound
code-called = is the name of
code-read-like = is read like
code-sounds = sounds like
code-fanqie = spelled by two characters
code-tone = tone
code-other-reading = other copies have
code-emended = should be
code-after-label = follows a section label
code-after-last-label = follows the last section label
code-after-title = follows a title
code-all-together = all the evidence together
code-alone = is alone in its paragraph
code-before-first-scope = is before the first section that a 疏 names
code-before-title-without-glosses = is before the title and has no notes
code-canon = how these words occur in the classics
code-bracket-unclosed = a bracket is opened and not closed
code-classic-begins = what follows begins like the classic
code-closing-label = a label closes the section before
code-commentator = a commentator is named
code-context = the characters beside it
code-debris = characters that are not part of the text
code-earlier-in-chapter = earlier in the chapter
code-end-of-scope-not-in-text = the words that should end the scope are not in the text
code-formula = a formula of commentaries
code-found-in-corpus = the words are in another chapter of the corpus
code-full-line = the line is full, so it continues in the next
code-gloss-form = the form of a gloss
code-goes-on = continues the sub-commentary of the line before
code-goes-on-with-citation = continues the citation before
code-header-form = the form of a lemma header
code-header-misprint = the header has a misprint
code-in-cited-chapter = is in the chapter cited
code-in-passage = is in the passage explained
code-label-form = the form of a section label
code-language-model = a language model of each layer
code-later-in-chapter = later in the chapter
code-layout = the order of classic and notes
code-learned-pairs = pairs of characters learned from the texts
code-lemma-header = a lemma header names first and last words
code-length = lengths that match
code-line-end = at the end of a line
code-longest-common-run = the longest run of words in common
code-longest-words-of-the-passage = the longest matching text of the passage
code-lu-speaks = 陸德明 speaks
code-misprint-at-known-border = a misprint at a border that is known
code-named-by-subcommentary = the sub-commentary names the work
code-network = a network that has read other books
code-next-place-after = the next place after it
code-no-blank-line = no blank line between it and the line before
code-no-counterpart = no counterpart
code-most-like-the-reading = the words of the text most like the reading
code-no-such-words = no such words there
code-no-words = no words are quoted to look for
code-not-found = not found
code-not-in-corpus = not in the corpus
code-not-in-passage = not in the passage explained
code-not-told-apart = the source does not separate the layers here
code-several-places = several places have the words
code-note-on-label = there is a note on the label
code-odd-length = lengths that do not match
code-opening-form = opens like a sub-commentary
code-order = the order of both texts
code-outside-the-chapters = before the first or after the last chapter
code-page-furniture = page furniture
code-paragraph-end = at the end of a paragraph
code-listed-opening = begins as listed for this section
code-paragraph-start = at the start of a paragraph
code-parts = the parts of one character
code-person = a person has decided it
code-place-of-the-note = where the note is
code-plain-copy = a plain copy of the classic has it, or lacks it
code-punctuation = punctuation
code-rare-words-in-common = both have words that are rare in the corpus
code-reads-as-classic = reads like the classic
code-reads-like-sound-gloss = reads like a gloss on the sound
code-recension = a reading of the old recensions
code-repeated-content = the page has this twice
code-repeats-classic = repeats words of the classic
code-rule = the rule that made it
code-running-head = the same words recur many times beside other titles
code-runs-on-after-readings = continues after glosses on the sound
code-said-not-to-stand-there = said not to be there
code-same-chapter = in the same chapter
code-same-characters = characters that both share
code-same-sign = the same sign elsewhere in the text
code-scope = the sub-commentary states the extent of the section
code-script-table = damage from script conversion
code-section-label = a label that closes a section
code-section-of-witness = the section is that of another witness
code-section-mark = a mark of a section
code-shared-characters = characters that both share
code-shared-words = words that both share
code-short-line = a line that ends early
code-speech = inside speech
code-sums-up = sums up the section before
code-table-of-contents = an entry of a table of contents
code-takes-up-classic = explains words of the classic before it
code-tei = stated in the TEI file
code-title = a title
code-title-line = looks like a title
code-title-lines = look like titles
code-title-not-in-authority-file = the title is not in the list of works
code-titles = the titles that it names
code-translation = the modern translation, which renders the 經 only
code-unaligned = no counterpart
code-unclosed-small = small type is opened and not closed
code-uncoded = signs for characters that Unicode lacked
code-unknown = evidence of a kind unknown to this program
code-wide-line = a line longer than the others
code-witness = another witness
code-witness-against = another witness speaks against it
code-word-not-in-text-before = the word is not in the text before
code-word-of-the-classic-before = a word of the classic before it
code-words = the words themselves
code-words-differ = differences, here:there
code-zhuan-goes-on = the 傳 before it continues
code-zhuan-opening = opens with 傳曰, like others here
