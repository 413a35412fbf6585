# 指令的说明。消息名为指令，属性为其参数（.output）及参数之值（.by-clause）；多个指令共有者在 common。

clap = 说明中由程序加上的字
    .usage = 用法：
    .commands = 指令：
    .arguments = 参数：
    .options-heading = 选项：
    .options = 选项
    .command = 指令
    .default = 默认：
    .values = 可用：
    .help = 显示说明（-h 为简要，--help 为全部）
    .version = 显示版本
    .help-command = 显示本说明，或某一指令的说明
    .formats = 格式：

common = 多个指令共有的选项
    .color = 何时用颜色
    .works = 自己的书目与篇目，格式同 src/corpus/works.toml，附加于内置者
    .lang = 网页、说明与消息的语言：zh-Hant、zh-Hans 或 en［默认：依 ZHUSHU_LANG，否则依系统语言］
    .lines = 行是什么：wrapped（由版面或程序折断，段落跨越行末）或 passages（每行一段）；未指明则逐一判断
    .follow = 也读文件夹中通往其外的链接
    .models = 放有自己模型的文件夹（由 `lab train` 制作），取代内置者
    .library = 书库的文件夹［默认：依 ZHUSHU_LIBRARY，否则在系统存放数据之处］
    .no_library = 不用书库
    .quiet = 只印结果与错误：不显示进度、件数、附注与总结
    .jobs = 同时工作的线程数［默认：每个处理器一个］
    .with = 其他文本或语料文件夹，作为别本及引文的出处
    .from = FILE 的格式［默认：由内容判定］
    .encoding = 文本的编码，如 gb18030、big5［默认：由字节判定］
    .output = 写到何处；- 为标准输出
    .to = 输出的形式
    .to-text = 给人读
    .to-tsv = 各列以制表符分隔
    .to-json = 给程序读
    .by = 由谁判定［默认：登录用户的名字］
    .own = 判定存在 FILE.WHO.review.toml，属于自己的文件
    .below = 只问可信度低于此数者

format = 输出格式
    .site = 阅读网站，同 `build` 所制：打开 index.html
    .text = 纯文本：注在括号中，疏自成段落
    .markdown = Markdown，注为脚注（pandoc、GitHub、Obsidian）
    .epub = EPUB 3，注为弹出的脚注
    .docx = Word，各层作样式，注作脚注
    .odt = OpenDocument（LibreOffice），各层作样式，注作脚注
    .latex = LaTeX（ctex、reledmac），注作脚注，每层一系
    .typst = Typst 原稿，注作双行夹注
    .pdf = 同上，由本机的 typst 排版
    .tei = TEI P5，每个文本一个文件
    .json = 各层起讫、关联、诊断，每个文本一个文件（schema/zhushu.schema.json）
    .jsonl = JSON Lines：文本、片段、关联、对齐对应组、名称，每行一项
    .tsv = 表格：texts.tsv、segments.tsv、links.tsv、beads.tsv、names.tsv
    .tmx = TMX 1.4b，每对经文与译文一个文件
    .stam = STAM JSON：文本与外部标注
    .docuxml = DocuXML，供 DocuSky 使用，每个文本一件文献
    .webanno = 引用关系，作 W3C Web Annotation
    .mandoku = mandoku，同汉籍リポジトリ，每个文本一个文件；底本有行款则存
    .iiif = IIIF Presentation 3：每叶一画布，附文字与书影
    .glosses = 诸注对字词的解说，作表格：训诂、读音、异文
    .stardict = 同上，作 StarDict 字典，供 GoldenDict 等程序使用
    .tei-dictionary = 同上，作 TEI P5 字典
    .bibtex = 引用本书的书目，供 BibTeX、biblatex 使用
    .csl = 引用本书的书目，作 CSL-JSON（Zotero、pandoc）
    .ris = 引用本书的书目，作 RIS（EndNote、NoteExpress、Zotero）

zhushu = 读带注的古书（注疏），分出各层，并写成各种版本
    .licenses = 打印本程序所用套件的授权条款与著作权声明

build = 读语料，分层、关联、对齐，写成 TEI、JSON 与阅读网站
    .corpus = 语料：文件夹，有无清单文件 zhushu.toml 皆可［默认：corpus；没有则为本文件夹］
    .output = 写入的文件夹
    .encoding = 文本的编码，用于清单文件未指明时［默认：由字节判定］
    .punctuation = 给无标点的文本补加标点；标点另列于文本之旁，可以关闭［默认：依清单文件，否则不补］
    .punctuation-supplied = 同一篇有标点之本的标点
    .punctuation-inferred = 同上，诸本皆无标点者，由读过有标点诸书的网络推定
    .formats = 要写些什么；上次所写而这次不要的，会移去［默认：全部］
    .formats-tei = 每个文本一个 TEI 文件
    .formats-json = 各层起讫、关联与诊断，供其他程序使用；译文的对齐对应组
    .formats-site = 供阅读的网页
    .formats-index = 检索索引
    .force = 即使无所改动，也全部重算；取代非 build 所写的文件
    .watch = 文本或清单文件一有改动就再做，直到按 Ctrl-C

search = 检索做好的语料：可限层、限说话人，通异体，跨夹注与换行
    .query = 要找的字句
    .index = `zhushu build` 所写的文件夹
    .exact = 只找完全相同的字：不通异体，不通繁简
    .no_variants = 通繁简，不通异体
    .no_crossing = 经文为注隔断处不连读
    .context = 前后各显示几字
    .sort = 结果的次序
    .sort-reading = 先经文，后注释，各依语料中的先后；同一文本中异体字列后
    .sort-place = 依语料中的先后
    .sort-left = 依前文，由最近的字起
    .sort-right = 依后文
    .limit = 显示几条；0 为全部［默认：text 为 20，其余全部］
    .skip = 先略过几条
    .count = 只要条数
    .by = 依层、书等分别计数
    .by-layer = 经、注、疏等
    .by-work = 书
    .by-chapter = 书与篇
    .by-commentator = 说话人
    .by-witness = 本子
    .frequencies = 所得各种字形，及各有几次
    .ngrams = 含所找字句的 N 字连串，及各有几次
    .collocates = 左右 N 字之内比全部所检文字多见的字，依对数似然（Dunning 1993）
    .to-text = 给人读的各行
    .to-json = 每行一项
    .to-csv = 逗号分隔，供电子表格使用
    .to-html = HTML 表格

verify = 核对一篇文字的引文：所据各书中是否如此，在何处
    .texts = 含有引文的文件，或引文本身；- 为标准输入
    .books = 在何处找：`zhushu build` 所写的文件夹、索引，或尚未做过的文本；可重复
    .to-text = 给人读
    .to-json = 每个文本一项，各占一行
    .to-lines = 每条引文一行，格式同编译器的消息，供编辑器读取
    .to-annotated = 原文，每条引文之后附结论

serve = 在本机开放做好的网站，并以其索引回答检索
    .out = `zhushu build` 所写的文件夹
    .host = 监听的地址或名称；用默认以外者，则其他机器也可连入
    .port = 监听的端口；0 为任一空闲的端口
    .public = 不论以何主机名称来访皆答，如在代理服务器之后；否则用默认地址时只答本机各名称
    .any_site = 任何网站的网页皆可查询
    .query_time = 一个查询至多用几秒；有人等候时只有四分之一
    .reload = 重做之后（如 `build --watch`），已开的网页自行重新载入
    .review = 在网页中判定程序存疑之处；只限本机

mcp = 回答代人写作的程序：检索、某节、何者引之（Model Context Protocol）
    .folders = `build` 所写的文件夹，或文本的文件夹，后者初次被问时才读［默认：有 out 则用之，否则 corpus］

convert = 将一个文件由任一输入格式转为任一输出格式
    .file = 文件；- 为标准输入
    .to = 输出格式［默认：依 -o 的扩展名，否则 json］
    .chapter = 全书之中只取此篇，用编号、篇名或 id
    .force = 用于 --to source：TEI 改过，已非所据之文件，仍照写

export = 写成一种版本：EPUB、PDF、Markdown、纯文本、表格及其他各种格式
    .from_path = 要输出的：`build` 所写的文件夹、语料、文件；- 为标准输入
    .to = 输出格式［默认：依 -o 的扩展名］
    .output = 写入的文件或文件夹；- 为标准输出
    .force = 取代该文件夹中非 export 所写的文件
    .merge = 将一篇的各本合为一个文本；用篇名、编号或地址指定
    .base = 各本有异时以此本为准，用 id、文件名或略称［默认：最长者］
    .notes = 合并的文本也收其他各本的注，各在其本中所随文字之后
    .layers = 只要这些层，用汉字或拼音名称；标题仍在
    .passages = 只取这些段落，用地址指明（论语 1.1、礼记 中庸 1-3），或用 @FILE 指一份清单
    .script = 输出的字体：trad 繁、simp 简、tw 台湾、hk 香港；底本不变
    .readings = 讹损的字照底本，或用订正者；另一种见于校记
    .readings-source = 照底本
    .readings-repaired = 本文件大概有讹损处，用订正的字（雲作云之类）
    .punctuation = 输出的标点
    .punctuation-source = 照底本
    .punctuation-fullwidth = 全角标点：，：；
    .punctuation-corner = 同上，引号依层次用「」『』
    .punctuation-curly = 同上，引号依层次用“”‘’
    .punctuation-none = 不用标点
    .punctuation-supplied = 照底本；全无标点者，取同篇有标点之本
    .punctuation-inferred = 同上，诸本皆无标点者，由读过有标点诸书的网络推定，每点附其把握
    .vertical = 直排，由右至左
    .paper = 纸张，用于有页面的格式；16k 为 185 × 260 毫米（正度 16 开）［默认：a5］
    .marks = 标点的宽度，用于有页面的格式
    .marks-full = 占一格，与他号相连及在行末时减半；默认如此
    .marks-half = 占半格
    .marks-hanging = 占一格，在行末则悬于版心之外
    .by_layer = 每层一个文件
    .no_numbers = 不要句子编号
    .no_apparatus = 各文本之后不附校记
    .translation = 一节的译文放在何处；facing 须有页面（typst、pdf）
    .translation-below = 在该节之下
    .translation-facing = 在对页
    .translation-none = 不放；译文的文本本身仍写出
    .apparatus = 校记放在何处
    .apparatus-end = 在各文本之后
    .apparatus-foot = 在页脚
    .notes_at = 经的注放在何处，用于 docx、odt、latex［默认：foot］
    .notes_at-foot = 在页脚
    .notes_at-inline = 在行内，用小字
    .title = 版本的题名［默认：依清单文件，或依文本］
    .from = 所读文件的格式［默认：由内容判定］
    .encoding = 所读文件的编码，如 gb18030、big5［默认：由字节判定］

align = 将经文与译文逐句或逐读对齐
    .source = 经文，有无注疏皆可
    .translation = 译文
    .by = 以何为单位
    .by-sentence = 句
    .by-clause = 读，在各组句子之内
    .to = 输出格式：json、tsv 或 tmx［默认：依 -o 的扩展名，否则 json］
    .from = 经文的格式［默认：由内容判定］
    .translation_from = 译文的格式［默认：由内容判定］
    .encoding = 两个文件的编码［默认：由字节判定］
    .no_prior = 只从古今相同的字开始，不用内置的今语词表

collate = 校勘同一文本的各本，并将异文分类
    .paths = 各本：文本、全书、语料文件夹，或 `build` 所写者
    .base = 与何本相校：依次序的编号，或文件名、id、略称［默认：第一本；在同一文件夹中为最长者］
    .layer = 所校的层
    .chapter = 只校此篇，用篇名、编号或地址（yili.05）
    .indirect = 也收注中所称的异文（今文、古文、校者所举各本），及疏中引文与此不同之处
    .to = 输出格式：summary、tsv、json、tei、tei-endpoints 或 html［默认：依 -o 的扩展名，否则 summary］

library = 收藏供各指令与你的文本一同读取的文本：白文、他本
library-add = 读取文本，或文件夹中所有文本，并收藏
    .paths = 文本与文件夹
library-list = 列出书库，或其中某些的各篇
    .names = 名称，如列表所示
library-remove = 移除以这些名称所收者；文本本身不动
    .names = 名称，如列表所示
library-update = 重读收入之后有改动者
    .names = 名称，如列表所示［默认：全部］

check = 读取一切，打印警告与说明；不写任何文件
    .paths = 文本与语料文件夹，一同读取［默认：corpus；没有则为本文件夹］
    .all = 打印每一条诊断
    .strict = 有警告或错误时，退出码为 1

sniff = 看文件是什么：编码、格式、书与篇，附可信度与理由
    .files = 文件，或文本的文件夹；- 为标准输入
    .encoding = 文件的编码［默认：由字节判定］
    .all = 列出所有各篇
    .to = 输出的形式：text、tsv（每篇一行，不分篇者共一行）、json

init = 为一文件夹的文本写清单文件，载所认出的书、篇与译文
    .folder = 文件夹
    .output = 写到何处；- 为标准输出［默认：文件夹中的 zhushu.toml］

split = 列出文本的各层，或说明一节何以如此切分
    .place = 文本；- 为标准输入；带行号则只看该处一节
    .explain = 显示每处切分的理由，及其他可能
    .below = 只看可信度低于此数的层首；与 --explain 并用时，只看有这种层首的各节
    .alternatives = 与 --explain 并用：所显示其他可能的最低概率
    .to = 输出的形式；tsv 不可与 --explain 并用

review = 判定程序存疑之处：在终端中，或用电子表格
    .file = 文本
    .kind = 只问这一种：cut（切分）、layer（层）、reading（用字）、link（关联）、bead（对齐）、speaker（说话人）或 heading（标题）
    .layer = 只问此层开始之处
    .order = 先问什么
    .order-instructive = 最能教会程序者
    .order-place = 文本中在前者
    .export = 将问题写成供电子表格用的表格（.tsv、.csv 或 .xlsx）；- 为标准输出
    .import = 由这样的表格读入判定
    .with = 其他文本或语料文件夹，作为别本

diff = 显示 `build` 所写两个文件夹之间的改动：层、用字、关联、对齐
    .old = 较早的文件夹
    .new = 较晚的文件夹
    .kind = 只看这一种：text（文本）、layer（层）、reading（用字）、link（关联）或 bead（对齐）
    .to-html = 一页网页

show = 依地址显示一节，带其各层与译文
    .locus = 要看的：yili.05.2.3、一个范围、一章、URN；书与篇也可用题名
    .paths = 文本、语料文件夹，或 `build` 所写的文件夹［默认：out 若未过时则用之，否则 corpus］
    .layer = 只要这些层，用汉字或拼音名称（经、zhu 等）
    .to-cite = 引用格式：中文脚注、GB/T 7714、Chicago、APA、MLA

gloss = 列出注家对某字的解说：训诂、读音、异文
    .headword = 所查之字词，不论字体与异体［默认：全部］
    .texts = 文本：文件、语料文件夹，或 `build` 所写的文件夹
    .kind = 只要这些种类
    .by = 只要这些人所说，或这些本子的异文（鄭玄、古文）
    .layer = 只要出自这些层者，用汉字或拼音名称（注、yin 等）
    .certainty = 只要可信度不低于此数者
    .dictionary = 自己的字典，一并列出：StarDict（.ifo），或每行为字头、制表符、释文
    .to = 输出格式
    .to-text = 供人阅读
    .to-tsv = 以制表符分隔的表格
    .to-json = 供程序使用

refs = 列出引用关系：文本所引的，或引某一节的
    .file = 文本、语料文件夹，或 `build` 所写的文件夹；- 为标准输入
    .to_passage = 只要引此节者，或与之平行者
    .from_passage = 只要由此节引出者
    .kind = 只要这些种类
    .layer = 只要出自这些层者，用汉字或拼音名称（疏、zhu 等）
    .status = 只要这种状态者
    .certainty = 只要可信度不低于此数者
    .work = 只要引此书或此篇者：周礼、仪礼・燕礼
    .to = 输出格式：text、tsv、json、graphml 或 annotations［默认：依 -o 的扩展名，否则 text］

score = 与人工的切分比较，看文本切得多好
    .files = 各文本
    .gold = 一个文本的正确切分；每个 FILE 一个，次序相同
    .prediction = 不另切分，而评此切分（由 convert --to json 所写）；每个 FILE 一个
    .across_lines = 行末的分界也计入，疏的除外［默认］
    .within_lines = 只计行内的分界
    .layers = 各层分别显示
    .errors = 每个文本至多显示 N 处漏切与 N 处误切
    .to = 输出的形式；tsv 没有错处，也没有校准

formats = 列出可读与可写的格式、各步分析，及各层

demo = 将自带的语料（《仪礼》五个文本及其清单文件）写入新的文件夹
    .folder = 要创建的文件夹；文本在其中的 corpus/

self-test = 以自带的语料试用本程序，并列出本机可供使用的其他程序与字体

completions = 打印供 shell 使用的指令与选项补全
    .shell = shell

man = 写出程序及各指令的手册页（man）
    .folder = 写入的文件夹；- 则将程序的一页写到标准输出
