# The words of pages in Chinese, traditional characters. Form: https://projectfluent.org.

## Signs

lbrace = { "{" }
colon = ：
semicolon = ；
comma = ，
open-paren = （
close-paren = ）

## Languages, each in itself, so that a reader finds his own

own-zh-Hant = 繁體
own-zh-Hans = 简体
own-en = English

## The frame of a page

skip = 跳到正文
contents = 總目
jump = 跳至（篇章名、2.3 或 yili.05.2.3）
jump-search = 在各文本中檢索這些字
close = 關閉
cite = 引用此處
cite-words = 文字
cite-urn = URN
cite-link = 網址
copy = 複製
sections = 章目
sections-count = 章目 { $n }
section-n = 第 { $n } 章
all-sections = 全部章目
previous-page = ← 前頁
next-page = 後頁 →
previous-text = ← 前篇：
next-text = 後篇：
made-by = 由 zhushu { $version } 製作。
scripts-off = 未啟用腳本，下列不可用：檢索、側邊總目、雙行夾注、字形轉換、語言選擇、引用格式、就地看徵引、快捷鍵。

## The bar

display = 顯示
layout = 版式
layout-jing = 只看經文
layout-jing-about = 只顯示經文，不顯示注疏（鍵 1）
layout-jia = 夾注
layout-jia-about = 雙行夾注（鍵 2）
layout-xia = 注下
layout-xia-about = 注在經文之下（鍵 3）
layout-lan = 分欄
layout-lan-about = 經、注疏、譯文分欄（鍵 4）
layout-zhi = 直排
layout-zhi-about = 直排，雙行夾注（鍵 5）
layers = 層
script = 字形
script-original = 原字
script-original-about = 底本原字
script-simplified = 簡體
script-simplified-about = 轉換爲簡體字
script-traditional = 繁體
script-traditional-about = 轉換爲繁體字
doubt = 存疑
doubt-no = 不標
doubt-no-about = 存疑之處不加底色
doubt-about = 可信度低於此者加底色
legend = 符號說明
legend-reference = 徵引，已定位
legend-uncertain = 徵引，位置存疑
legend-unplaced = 徵引，未能定位
legend-tint = 可信度低於所選界限
legend-cited = 此處被徵引次數
legend-variants = 異文數
legend-repair = 誤字，已校
legend-reading = 可能之異文
legend-bead = 譯文對應存疑
size = 字號
size-s = 小
size-m = 中
size-l = 大
colours = 顏色
colours-auto = 自動
colours-light = 淺色
colours-dark = 深色
language = 語言
switch-translation = 譯文
switch-translation-about = 旁列譯文
switch-classic = 原文
switch-classic-about = 旁列原文
switch-repairs = 校正
switch-repairs-about = 改正訛字；關閉則照底本

## Within the text

title-supplied = 據文中所述補題
undivided = 經注未分
no-header = 無疏首
beside-translation = 譯
beside-classic = 原
no-counterpart-here = 此處無對應
match-decided = 人定對應
uncertain-match = 對應存疑
referred-count = 引此者 { $n }
readings-count = 異文 { $n }
referred = 引此者
readings = 異文
more-characters = 餘 { $n } 字
start-decided = 人定起點
start-uncertain = 起點存疑
start-perhaps = 程式推斷，自此起爲
start-certainty = ，可信度{ " " }
read-as-repaired = 當作
usual-form = 通
supplied = 補
in-source = 原作
witness-has = 別本作
same-elsewhere = 他處同文 { $n }
go-there = 前往 →
more = 詳細
omits = 無
deletes = 衍
lemma-unknown = 〔未詳何字〕

## Special characters

char-entity = 字庫外字
char-lost = 闕字
char-private = 私用區外字
char-rare = 罕用字，字型或缺
char-control = 控制字元
char-invisible = 不可見字元

## The foot of a page

in-library = 在書庫
not-placed = 未能定位
list-page = 第 { $n } 頁，共 { $all } 頁
lost-headers = 疏首與所釋不合
lost-headers-about = 疏首或正文或有誤字，或段落錯位。請對照他本（--with），或在判定中選定。
lost-words = 不在應在之處的文字
lost-words-about = 或為意引，或有誤字，或出自別處。請對照他本，或在判定中選定。
lost-titles = 書目中沒有的書名
lost-titles-about = 請將書名加入自己的書目（--works）。
lost-works = 這裏沒有的書
lost-works-about = 這不是錯誤。將其書放入語料或書庫（zhushu library add），即可查找其中文字。
lost-said = 文中自言所無的文字
lost-said-about = 無須處理。
named-only = 但舉其名
no-counterpart-page = 此頁無對應
uncertain = 存疑
remarks = 編按
left-out = 略去
left-out-counts = 網頁雜項 { $lines } 行；各層標記 { $marks }
source = 出處
source-work = 書
source-siglum = 簡稱
source-file = 檔案
source-beside = 對照
source-layers = 層
characters-count = { $n } 字
bare-sentences = { $n } 句無對應
keys = 鍵盤
key-sentences = 下一句、上一句
key-along = 沿直排文字移動，與滾輪同；Page Up、Page Down、Home、End 亦可
key-layouts = 版式：只看經文、夾注、注下、分欄、直排
key-pages = 前頁、後頁
key-contents = 總目，跳至某處
key-jump = 前往位置、篇章或文字
key-cite = 引用此句或所選文字
key-search = 檢索
key-script = 原字或轉換
key-list = 此表
key-close = 收起

## General pages

general-pages = 各頁
apparatus = 校勘
figures = 數據
other-texts = 其他各篇
about = 說明
nothing = 無
alignments = 對照
translation = 今譯
segments-count = { $n } 段
inferred-starts = 推斷起點 { $n }
of-these-uncertain = 存疑 { $n }
undivided-count = 未分 { $n }
references-placed = 徵引定位 { $n }／{ $all }
collation = 對校
collation-others = 與他本對校
collation-of = 對校：
base-text = 底本
base-text-colon = 底本：
beads = 相應 { $both }（存疑 { $low }）；原文獨有 { $source }；譯文獨有 { $translation }
footer = 據各頁所列檔案製作。可信度爲程式自估，低於 { $review } 者於頁中標出。各頁正文悉依其檔。
about-how = 製作說明
about-text = 每篇讀自一個檔案，各頁照錄其文。檔案未標明經注者，由程式區分；徵引所出、譯文對應亦由程式推定。每項推斷皆附程式自估之可信度與依據。
characters-by-layer = 各層字數（不計標點）
starts-by-certainty = 推斷起點（依可信度）
references-by-certainty = 徵引定位（依可信度）
aligned-by-certainty = 對照（依可信度）
sources-rights = 出處與權利
how-to-cite = 引用
for-managers = 供文獻管理程式：
passage-address = 段落以書、篇、章、句爲名。本站網址：
passage-urn = 其 URN：
differences = 異同
collation-foot = 正文依首列之本；有異文處，其後列出各本及其文。
lacuna-ends = 闕止
lacuna-begins = 闕始
elsewhere = 在他處
middle-left-out = …〔{ $n } 字〕…
differ-graphic = 異體
differ-damage = 轉換之誤
differ-punctuation = 標點
differ-substantive = 異文
differ-omission = 脫
differ-addition = 多
differ-transposition = 乙
differ-lacuna = 闕
changes = 改動
change-place = 處
change-kind = 類
change-words = 文
change-old = 舊
change-new = 新
nothing-changed = 無改動

## The search box

search = 檢索
ask-unavailable = 檢索不可用：
ask-reading = 讀取 { $n }／{ $all } …
ask-characters = 字
ask-variants = 通異體
ask-scripts = 通繁簡
ask-typed = 原字
ask-within = 範圍
ask-everywhere = 全部
ask-here = 本篇
ask-order = 次序
ask-place = 文中次序
ask-left = 上文
ask-right = 下文
ask-crossing = 跨夾注
ask-language = 檢索語法
ask-across = 跨行、跨注
ask-layer = 限於某層
ask-by = 某家之語；又有書: 篇: 本:
ask-both = 同在一注；又有 OR、NOT
ask-near = 相距不過五字
ask-any = 任何一字
ask-regex = 正則表達式
ask-relation = 含「射」之經之注
ask-shown = { $n }／{ $all } 處
ask-none = 未檢得
ask-more = 更多
ask-no-such = 無「
ask-there-are = 」；有：
fact-edition = 版本
fact-editors = 編者
fact-date = 年代
fact-origin = 來源
fact-rights = 權利

## Review, in the pages of `serve --review`

review = 校閱
review-left = 餘 { $n } 問
review-decided = 已定 { $n }
review-next = 下一處
review-previous = 上一處
review-best = 最要緊處
review-undo = 撤銷
review-undone = 已撤銷
review-written = 已記下
review-failed = 未能記下：
review-computing = 計算中…
review-changed = 改動 { $n } 處
review-nothing = 此篇已無可問
review-ask-cut = 層次由此起？
review-ask-layer = 此屬何層？
review-ask-reading = 此字是否訛誤？
review-ask-link = 所引是否此處？
review-ask-bead = 譯文何處與此相應？
review-ask-speaker = 此為何人所言？
review-ask-heading = 此行是否標題？
review-ends = 止，
review-begins = 起
review-goes-on = 不斷
review-this-is = 此為
review-is-right = 不誤
review-is-meant = 為是
review-leads-to = 引
review-no-reference = 並非引文
review-has-nothing = 沒有與此相應的文字
review-says = 所言
review-nobody-says = 並非所稱之人所言
review-chapter = 一篇由此起
review-heading = 其他標題
review-no-heading = 正文，並非標題
review-answers = 答案
review-border = 界線
review-border-back = 界線前移一字
review-border-on = 界線後移一字
review-other-layer = 改屬他層
review-note = 附記
review-decide = 確定
review-skip = 暫略
review-close = 關閉
review-evidence = 依據

## Layers: names, and what they are

layer-jing = 經
layer-jing-about = 經文
layer-zhuan = 傳
layer-zhuan-about = 與經並傳之傳，如喪服傳、左傳
layer-zhu = 注
layer-zhu-about = 經文之注
layer-jian = 箋
layer-jian-about = 第二家之注，如鄭箋
layer-bie = 別注
layer-bie-about = 另一家之注，如解、索隱、集注
layer-yin = 音義
layer-yin-about = 字音與字義
layer-ju = 句讀
layer-ju-about = 張爾岐句讀之注
layer-jishi = 集釋
layer-jishi-about = 李如圭之釋，以「釋曰」起
layer-an = 案
layer-an-about = 校勘按語
layer-shu-header = 疏首
layer-shu-header-about = 疏所釋之起訖
layer-shu = 疏
layer-shu-about = 經注之疏
layer-label = 右
layer-label-about = 章末之題，「右……」
layer-heading = 題
layer-heading-about = 書題、篇題、章題
layer-translation = 譯
layer-translation-about = 今譯
layer-other = 他
layer-other-about = 各層之外之文，如序
layer-undivided = 未分
layer-undivided-about = 經注未分
layer-mark = 標
layer-mark-about = 底本分層之標記
layer-furniture = 雜
layer-furniture-about = 網頁雜項、卷首、重出之頁
layer-blank = 空
layer-blank-about = 行末與段間空白

## Codes of the model: references, differences, evidence, remarks


## Kinds of references

code-circle-habit = 注中○多起音義
code-label-in-line = 文中標字
code-labels-in-line = 文中標字
code-lemma = 所釋
code-quotation = 引文
code-citation = 徵引
code-internal = 互見
code-parallel = 同文

## How a reading differs

code-other = 異文
code-lacks = 無之
code-adds = 有多
code-read-as = 讀爲
code-emends = 改字

## How well a place was found

code-exact = 字句全同
code-reads-as-layer = 文氣似此層
code-variant = 文字小異
code-paraphrase = 意引
code-range = 起訖
code-title-only = 但有篇名
code-unresolved = 未詳所出

## Evidence

code-after-label = 在章題後
code-after-last-label = 在末章題後
code-after-title = 在題後
code-all-together = 合參諸證
code-alone = 獨立成段
code-before-first-scope = 在首節之前
code-before-title-without-glosses = 題前而無注
code-canon = 諸經所有
code-bracket-unclosed = 括號未閉
code-classic-begins = 下接經文起語
code-closing-label = 章題所止
code-commentator = 注家之名
code-context = 上下文
code-debris = 混入之碼
code-earlier-account = 見前文所述
code-earlier-in-chapter = 見本篇前文
code-end-of-scope-not-in-text = 所盡之語不見本文
code-explained-by-subcommentary = 疏釋之
code-first-and-last-clause = 首尾之句
code-formula = 注文習語
code-found-in-corpus = 見於他篇
code-full-line = 行滿
code-gloss-form = 訓詁體例
code-goes-on = 承上行疏語
code-goes-on-with-citation = 承上文徵引
code-header-form = 疏首體例
code-header-misprint = 疏首有誤字
code-in-cited-chapter = 在所引之篇
code-in-passage = 在所釋之節
code-label-form = 章題體例
code-language-model = 語感模型
code-later-in-chapter = 見本篇後文
code-layout = 文例
code-learned-pairs = 習得對應字
code-lemma-header = 據疏首起訖
code-length = 長短相當
code-line-end = 在行末
code-longest-common-run = 最長同文
code-longest-words-of-the-passage = 節中最長同文
code-lu-speaks = 陸德明語
code-misprint-at-known-border = 起訖處有誤字
code-named-by-subcommentary = 疏明其所出
code-next-place-after = 其後首見
code-no-blank-line = 上無空行
code-no-counterpart = 無對應
code-most-like-the-reading = 與異文最近
code-no-such-words = 無此字句
code-no-words = 但舉其名
code-not-found = 未見其文
code-not-in-corpus = 語料所無
code-not-in-passage = 不見所釋之節
code-not-told-apart = 未加分別
code-several-places = 數處皆有
code-note-on-label = 章題下有注
code-odd-length = 長短不稱
code-opening-form = 釋曰、正義曰起
code-order = 次序相應
code-outside-the-chapters = 在篇章之外
code-page-furniture = 網頁雜項
code-paragraph-end = 在段末
code-listed-opening = 章首所列
code-paragraph-start = 在段首
code-parts = 一字析為二
code-person = 已經人定
code-place-of-the-note = 注所在
code-punctuation = 標點
code-rare-words-in-common = 共有罕見之語
code-reads-as-classic = 似經文
code-reads-like-sound-gloss = 似音義
code-recension = 今文古文異文
code-repeated-content = 內容重出
code-repeats-classic = 複述經文
code-running-head = 書眉
code-runs-on-after-readings = 音義後連書
code-said-not-to-stand-there = 言其文不在彼
code-same-chapter = 同篇
code-same-characters = 共有字
code-same-sign = 同碼之字
code-scope = 疏言起訖
code-script-table = 簡繁轉換之訛
code-section-label = 右…章題
code-section-of-witness = 據他本分章
code-section-mark = 章節標記
code-shared-characters = 共有字
code-shared-words = 共有字句
code-short-line = 行短
code-speech = 語中
code-sums-up = 概括前文
code-table-of-contents = 目錄
code-takes-up-classic = 釋前文之語
code-tei = 見於原 TEI 檔
code-title = 篇名
code-title-line = 題行
code-title-lines = 題行
code-title-not-in-authority-file = 篇名不見於名錄
code-titles = 書名
code-translation = 據今譯
code-unaligned = 無對應
code-unclosed-small = 小字未閉
code-uncoded = 無碼之字
code-unknown = 未詳
code-wide-line = 行過長
code-witness = 據他本
code-witness-against = 他本不同意
code-word-not-in-text-before = 上文無此字
code-word-of-the-classic-before = 上文經字
code-words = 字句
code-words-differ = 異文
code-zhuan-goes-on = 傳未盡
code-zhuan-opening = 傳曰起
