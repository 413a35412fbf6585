# The words of pages in Chinese, simplified characters. Form: https://projectfluent.org.

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
contents = 总目
jump = 跳至（篇章名、2.3 或 yili.05.2.3）
jump-search = 在各文本中检索这些字
close = 关闭
cite = 引用此处
cite-words = 文字
cite-urn = URN
cite-link = 网址
copy = 复制
sections = 章目
sections-count = 章目 { $n }
section-n = 第 { $n } 章
all-sections = 全部章目
previous-page = ← 前页
next-page = 后页 →
previous-text = ← 前篇：
next-text = 后篇：
made-by = 由 zhushu { $version } 制作。
scripts-off = 未启用脚本，下列不可用：检索、侧边总目、双行夹注、字形转换、语言选择、引用格式、就地看征引、快捷键。

## The bar

display = 显示
layout = 版式
layout-jing = 只看经文
layout-jing-about = 只显示经文，不显示注疏（键 1）
layout-jia = 夹注
layout-jia-about = 双行夹注（键 2）
layout-xia = 注下
layout-xia-about = 注在经文之下（键 3）
layout-lan = 分栏
layout-lan-about = 经、注疏、译文分栏（键 4）
layout-zhi = 直排
layout-zhi-about = 直排，双行夹注（键 5）
layers = 层
script = 字形
script-original = 原字
script-original-about = 底本原字
script-simplified = 简体
script-simplified-about = 转换为简体字
script-traditional = 繁体
script-traditional-about = 转换为繁体字
doubt = 存疑
doubt-no = 不标
doubt-no-about = 存疑之处不加底色
doubt-about = 可信度低于此者加底色
legend = 符号说明
legend-reference = 征引，已定位
legend-uncertain = 征引，位置存疑
legend-unplaced = 征引，未能定位
legend-tint = 可信度低于所选界限
legend-cited = 此处被征引次数
legend-variants = 异文数
legend-repair = 误字，已校
legend-reading = 可能之异文
legend-bead = 译文对应存疑
size = 字号
size-s = 小
size-m = 中
size-l = 大
colours = 颜色
colours-auto = 自动
colours-light = 浅色
colours-dark = 深色
language = 语言
switch-translation = 译文
switch-translation-about = 旁列译文
switch-classic = 原文
switch-classic-about = 旁列原文
switch-repairs = 校正
switch-repairs-about = 改正讹字；关闭则照底本

## Within the text

title-supplied = 据文中所述补题
undivided = 经注未分
no-header = 无疏首
beside-translation = 译
beside-classic = 原
no-counterpart-here = 此处无对应
match-decided = 人定对应
uncertain-match = 对应存疑
referred-count = 引此者 { $n }
readings-count = 异文 { $n }
referred = 引此者
readings = 异文
more-characters = 余 { $n } 字
start-decided = 人定起点
start-uncertain = 起点存疑
start-perhaps = 程序推断，自此起为
start-certainty = ，可信度{ " " }
read-as-repaired = 当作
usual-form = 通
supplied = 补
in-source = 原作
witness-has = 别本作
same-elsewhere = 他处同文 { $n }
go-there = 前往 →
more = 详细
omits = 无
deletes = 衍
lemma-unknown = 〔未详何字〕

## Special characters

char-entity = 字库外字
char-lost = 阙字
char-private = 私用区外字
char-rare = 罕用字，字型或缺
char-control = 控制字元
char-invisible = 不可见字元

## The foot of a page

in-library = 在书库
not-placed = 未能定位
list-page = 第 { $n } 页，共 { $all } 页
lost-headers = 疏首与所释不合
lost-headers-about = 疏首或正文或有误字，或段落错位。请对照他本（--with），或在判定中选定。
lost-words = 不在应在之处的文字
lost-words-about = 或为意引，或有误字，或出自别处。请对照他本，或在判定中选定。
lost-titles = 书目中没有的书名
lost-titles-about = 请将书名加入自己的书目（--works）。
lost-works = 这里没有的书
lost-works-about = 这不是错误。将其书放入语料或书库（zhushu library add），即可查找其中文字。
lost-said = 文中自言所无的文字
lost-said-about = 无须处理。
named-only = 但举其名
no-counterpart-page = 此页无对应
uncertain = 存疑
remarks = 编按
left-out = 略去
left-out-counts = 网页杂项 { $lines } 行；各层标记 { $marks }
source = 出处
source-work = 书
source-siglum = 简称
source-file = 文件
source-beside = 对照
source-layers = 层
characters-count = { $n } 字
bare-sentences = { $n } 句无对应
keys = 键盘
key-sentences = 下一句、上一句
key-along = 沿直排文字移动，与滚轮同；Page Up、Page Down、Home、End 亦可
key-layouts = 版式：只看经文、夹注、注下、分栏、直排
key-pages = 前页、后页
key-contents = 总目，跳至某处
key-jump = 前往位置、篇章或文字
key-cite = 引用此句或所选文字
key-search = 检索
key-script = 原字或转换
key-list = 此表
key-close = 收起

## General pages

general-pages = 各页
apparatus = 校勘
figures = 数据
other-texts = 其他各篇
about = 说明
nothing = 无
alignments = 对照
translation = 今译
segments-count = { $n } 段
inferred-starts = 推断起点 { $n }
of-these-uncertain = 存疑 { $n }
undivided-count = 未分 { $n }
references-placed = 征引定位 { $n }／{ $all }
collation = 对校
collation-others = 与他本对校
collation-of = 对校：
base-text = 底本
base-text-colon = 底本：
beads = 相应 { $both }（存疑 { $low }）；原文独有 { $source }；译文独有 { $translation }
footer = 据各页所列文件制作。可信度为程序自估，低于 { $review } 者于页中标出。各页正文悉依其文件。
about-how = 制作说明
about-text = 每篇读自一个文件，各页照录其文。文件未标明经注者，由程序区分；征引所出、译文对应亦由程序推定。每项推断皆附程序自估之可信度与依据。
characters-by-layer = 各层字数（不计标点）
starts-by-certainty = 推断起点（依可信度）
references-by-certainty = 征引定位（依可信度）
aligned-by-certainty = 对照（依可信度）
sources-rights = 出处与权利
how-to-cite = 引用
for-managers = 供文献管理程序：
passage-address = 段落以书、篇、章、句为名。本站网址：
passage-urn = 其 URN：
differences = 异同
collation-foot = 正文依首列之本；有异文处，其后列出各本及其文。
lacuna-ends = 阙止
lacuna-begins = 阙始
elsewhere = 在他处
middle-left-out = …〔{ $n } 字〕…
differ-graphic = 异体
differ-damage = 转换之误
differ-punctuation = 标点
differ-substantive = 异文
differ-omission = 脱
differ-addition = 多
differ-transposition = 乙
differ-lacuna = 阙
changes = 改动
change-place = 处
change-kind = 类
change-words = 文
change-old = 旧
change-new = 新
nothing-changed = 无改动

## The search box

search = 检索
ask-unavailable = 检索不可用：
ask-reading = 读取 { $n }／{ $all } …
ask-characters = 字
ask-variants = 通异体
ask-scripts = 通繁简
ask-typed = 原字
ask-within = 范围
ask-everywhere = 全部
ask-here = 本篇
ask-order = 次序
ask-place = 文中次序
ask-left = 上文
ask-right = 下文
ask-crossing = 跨夹注
ask-language = 检索语法
ask-across = 跨行、跨注
ask-layer = 限于某层
ask-by = 某家之语；又有书: 篇: 本:
ask-both = 同在一注；又有 OR、NOT
ask-near = 相距不过五字
ask-any = 任何一字
ask-regex = 正则表达式
ask-relation = 含“射”之经之注
ask-shown = { $n }／{ $all } 处
ask-none = 未检得
ask-more = 更多
ask-no-such = 无“
ask-there-are = ”；有：
fact-edition = 版本
fact-editors = 编者
fact-date = 年代
fact-origin = 来源
fact-rights = 权利

## Review, in the pages of `serve --review`

review = 校阅
review-left = 余 { $n } 问
review-decided = 已定 { $n }
review-next = 下一处
review-previous = 上一处
review-best = 最要紧处
review-undo = 撤销
review-undone = 已撤销
review-written = 已记下
review-failed = 未能记下：
review-computing = 计算中…
review-changed = 改动 { $n } 处
review-nothing = 此篇已无可问
review-ask-cut = 层次由此起？
review-ask-layer = 此属何层？
review-ask-reading = 此字是否讹误？
review-ask-link = 所引是否此处？
review-ask-bead = 译文何处与此相应？
review-ask-speaker = 此为何人所言？
review-ask-heading = 此行是否标题？
review-ends = 止，
review-begins = 起
review-goes-on = 不断
review-this-is = 此为
review-is-right = 不误
review-is-meant = 为是
review-leads-to = 引
review-no-reference = 并非引文
review-has-nothing = 没有与此相应的文字
review-says = 所言
review-nobody-says = 并非所称之人所言
review-chapter = 一篇由此起
review-heading = 其他标题
review-no-heading = 正文，并非标题
review-answers = 答案
review-border = 界线
review-border-back = 界线前移一字
review-border-on = 界线后移一字
review-other-layer = 改属他层
review-note = 附记
review-decide = 确定
review-skip = 暂略
review-close = 关闭
review-evidence = 依据

## Layers: names, and what they are

layer-jing = 经
layer-jing-about = 经文
layer-zhuan = 传
layer-zhuan-about = 与经并传之传，如丧服传、左传
layer-zhu = 注
layer-zhu-about = 经文之注
layer-jian = 笺
layer-jian-about = 第二家之注，如郑笺
layer-bie = 别注
layer-bie-about = 另一家之注，如解、索隐、集注
layer-yin = 音义
layer-yin-about = 字音与字义
layer-ju = 句读
layer-ju-about = 张尔岐句读之注
layer-jishi = 集释
layer-jishi-about = 李如圭之释，以“释曰”起
layer-an = 案
layer-an-about = 校勘按语
layer-shu-header = 疏首
layer-shu-header-about = 疏所释之起讫
layer-shu = 疏
layer-shu-about = 经注之疏
layer-label = 右
layer-label-about = 章末之题，“右……”
layer-heading = 题
layer-heading-about = 书题、篇题、章题
layer-translation = 译
layer-translation-about = 今译
layer-other = 他
layer-other-about = 各层之外之文，如序
layer-undivided = 未分
layer-undivided-about = 经注未分
layer-mark = 标
layer-mark-about = 底本分层之标记
layer-furniture = 杂
layer-furniture-about = 网页杂项、卷首、重出之页
layer-blank = 空
layer-blank-about = 行末与段间空白

## Codes of the model: references, differences, evidence, remarks


## Kinds of references

code-circle-habit = 注中○多起音义
code-label-in-line = 文中标字
code-labels-in-line = 文中标字
code-lemma = 所释
code-quotation = 引文
code-citation = 征引
code-internal = 互见
code-parallel = 同文

## How a reading differs

code-other = 异文
code-lacks = 无之
code-adds = 有多
code-read-as = 读为
code-emends = 改字

## How well a place was found

code-exact = 字句全同
code-reads-as-layer = 文气似此层
code-variant = 文字小异
code-paraphrase = 意引
code-range = 起讫
code-title-only = 但有篇名
code-unresolved = 未详所出

## Evidence

code-after-label = 在章题后
code-after-last-label = 在末章题后
code-after-title = 在题后
code-all-together = 合参诸证
code-alone = 独立成段
code-before-first-scope = 在首节之前
code-before-title-without-glosses = 题前而无注
code-canon = 诸经所有
code-bracket-unclosed = 括号未闭
code-classic-begins = 下接经文起语
code-closing-label = 章题所止
code-commentator = 注家之名
code-context = 上下文
code-debris = 混入之码
code-earlier-account = 见前文所述
code-earlier-in-chapter = 见本篇前文
code-end-of-scope-not-in-text = 所尽之语不见本文
code-explained-by-subcommentary = 疏释之
code-first-and-last-clause = 首尾之句
code-formula = 注文习语
code-found-in-corpus = 见于他篇
code-full-line = 行满
code-gloss-form = 训诂体例
code-goes-on = 承上行疏语
code-goes-on-with-citation = 承上文征引
code-header-form = 疏首体例
code-header-misprint = 疏首有误字
code-in-cited-chapter = 在所引之篇
code-in-passage = 在所释之节
code-label-form = 章题体例
code-language-model = 语感模型
code-later-in-chapter = 见本篇后文
code-layout = 文例
code-learned-pairs = 习得对应字
code-lemma-header = 据疏首起讫
code-length = 长短相当
code-line-end = 在行末
code-longest-common-run = 最长同文
code-longest-words-of-the-passage = 节中最长同文
code-lu-speaks = 陆德明语
code-misprint-at-known-border = 起讫处有误字
code-named-by-subcommentary = 疏明其所出
code-next-place-after = 其后首见
code-no-blank-line = 上无空行
code-no-counterpart = 无对应
code-most-like-the-reading = 与异文最近
code-no-such-words = 无此字句
code-no-words = 但举其名
code-not-found = 未见其文
code-not-in-corpus = 语料所无
code-not-in-passage = 不见所释之节
code-not-told-apart = 未加分别
code-several-places = 数处皆有
code-note-on-label = 章题下有注
code-odd-length = 长短不称
code-opening-form = 释曰、正义曰起
code-order = 次序相应
code-outside-the-chapters = 在篇章之外
code-page-furniture = 网页杂项
code-paragraph-end = 在段末
code-listed-opening = 章首所列
code-paragraph-start = 在段首
code-parts = 一字析为二
code-person = 已经人定
code-place-of-the-note = 注所在
code-punctuation = 标点
code-rare-words-in-common = 共有罕见之语
code-reads-as-classic = 似经文
code-reads-like-sound-gloss = 似音义
code-recension = 今文古文异文
code-repeated-content = 内容重出
code-repeats-classic = 复述经文
code-running-head = 书眉
code-runs-on-after-readings = 音义后连书
code-said-not-to-stand-there = 言其文不在彼
code-same-chapter = 同篇
code-same-characters = 共有字
code-same-sign = 同码之字
code-scope = 疏言起讫
code-script-table = 简繁转换之讹
code-section-label = 右…章题
code-section-of-witness = 据他本分章
code-section-mark = 章节标记
code-shared-characters = 共有字
code-shared-words = 共有字句
code-short-line = 行短
code-speech = 语中
code-sums-up = 概括前文
code-table-of-contents = 目录
code-takes-up-classic = 释前文之语
code-tei = 见于原 TEI 文件
code-title = 篇名
code-title-line = 题行
code-title-lines = 题行
code-title-not-in-authority-file = 篇名不见于名录
code-titles = 书名
code-translation = 据今译
code-unaligned = 无对应
code-unclosed-small = 小字未闭
code-uncoded = 无码之字
code-unknown = 未详
code-wide-line = 行过长
code-witness = 据他本
code-witness-against = 他本不同意
code-word-not-in-text-before = 上文无此字
code-word-of-the-classic-before = 上文经字
code-words = 字句
code-words-differ = 异文
code-zhuan-goes-on = 传未尽
code-zhuan-opening = 传曰起
