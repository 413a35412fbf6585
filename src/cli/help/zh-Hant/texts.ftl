# 指令的說明。訊息名為指令，屬性為其參數（.output）及參數之值（.by-clause）；多個指令共有者在 common。

clap = 說明中由程式加上的字
    .usage = 用法：
    .commands = 指令：
    .arguments = 引數：
    .options-heading = 選項：
    .options = 選項
    .command = 指令
    .default = 預設：
    .values = 可用：
    .help = 顯示說明（-h 為簡要，--help 為全部）
    .version = 顯示版本
    .help-command = 顯示本說明，或某一指令的說明
    .formats = 格式：

common = 多個指令共有的選項
    .color = 何時用顏色
    .works = 自己的書目與篇目，格式同 src/corpus/works.toml，附加於內建者
    .lang = 網頁、說明與訊息的語言：zh-Hant、zh-Hans 或 en［預設：依 ZHUSHU_LANG，否則依系統語言］
    .lines = 行是什麼：wrapped（由版面或程式折斷，段落跨越行末）或 passages（每行一段）；未指明則逐一判斷
    .follow = 也讀資料夾中通往其外的連結
    .models = 放有自己模型的資料夾（由 `lab train` 製作），取代內建者
    .library = 書庫的資料夾［預設：依 ZHUSHU_LIBRARY，否則在系統存放資料之處］
    .no_library = 不用書庫
    .quiet = 只印結果與錯誤：不顯示進度、件數、附註與總結
    .jobs = 同時工作的執行緒數［預設：每個處理器一個］
    .with = 其他文本或語料資料夾，作為別本及引文的出處
    .from = FILE 的格式［預設：由內容判定］
    .encoding = 文本的編碼，如 gb18030、big5［預設：由位元組判定］
    .output = 寫到何處；- 為標準輸出
    .to = 輸出的形式
    .to-text = 給人讀
    .to-tsv = 各欄以定位字元分隔
    .to-json = 給程式讀
    .by = 由誰判定［預設：登入者的名字］
    .own = 判定存在 FILE.WHO.review.toml，屬於自己的檔案
    .below = 只問可信度低於此數者

format = 輸出格式
    .site = 閱讀網站，同 `build` 所製：打開 index.html
    .text = 純文字：注在括號中，疏自成段落
    .markdown = Markdown，注為腳注（pandoc、GitHub、Obsidian）
    .epub = EPUB 3，注為彈出的腳注
    .docx = Word，各層作樣式，注作腳注
    .odt = OpenDocument（LibreOffice），各層作樣式，注作腳注
    .latex = LaTeX（ctex、reledmac），注作腳注，每層一系
    .typst = Typst 原稿，注作雙行夾注
    .pdf = 同上，由本機的 typst 排版
    .tei = TEI P5，每個文本一個檔案
    .json = 各層起訖、關聯、診斷，每個文本一個檔案（schema/zhushu.schema.json）
    .jsonl = JSON Lines：文本、片段、關聯、對齊對應組、名稱，每行一項
    .tsv = 表格：texts.tsv、segments.tsv、links.tsv、beads.tsv、names.tsv
    .tmx = TMX 1.4b，每對經文與譯文一個檔案
    .stam = STAM JSON：文本與外部標注
    .docuxml = DocuXML，供 DocuSky 使用，每個文本一件文獻
    .webanno = 引用關係，作 W3C Web Annotation
    .mandoku = mandoku，同漢籍リポジトリ，每個文本一個檔案；底本有行款則存
    .iiif = IIIF Presentation 3：每葉一畫布，附文字與書影
    .glosses = 諸注對字詞的解說，作表格：訓詁、讀音、異文
    .stardict = 同上，作 StarDict 字典，供 GoldenDict 等程式使用
    .tei-dictionary = 同上，作 TEI P5 字典
    .bibtex = 引用本書的書目，供 BibTeX、biblatex 使用
    .csl = 引用本書的書目，作 CSL-JSON（Zotero、pandoc）
    .ris = 引用本書的書目，作 RIS（EndNote、NoteExpress、Zotero）

zhushu = 讀帶注的古書（注疏），分出各層，並寫成各種版本
    .licenses = 印出本程式所用套件的授權條款與著作權聲明

build = 讀語料，分層、關聯、對齊，寫成 TEI、JSON 與閱讀網站
    .corpus = 語料：資料夾，有無清單檔 zhushu.toml 皆可［預設：corpus；沒有則為本資料夾］
    .output = 寫入的資料夾
    .encoding = 文本的編碼，用於清單檔未指明時［預設：由位元組判定］
    .punctuation = 給無標點的文本補加標點；標點另列於文本之旁，可以關閉［預設：依清單檔，否則不補］
    .punctuation-supplied = 同一篇有標點之本的標點
    .punctuation-inferred = 同上，諸本皆無標點者，由讀過有標點諸書的網絡推定
    .formats = 要寫些什麼；上次所寫而這次不要的，會移去［預設：全部］
    .formats-tei = 每個文本一個 TEI 檔
    .formats-json = 各層起訖、關聯與診斷，供其他程式使用；譯文的對齊對應組
    .formats-site = 供閱讀的網頁
    .formats-index = 檢索索引
    .force = 即使無所改動，也全部重算；取代非 build 所寫的檔案
    .watch = 文本或清單檔一有改動就再做，直到按 Ctrl-C

search = 檢索做好的語料：可限層、限說話人，通異體，跨夾注與換行
    .query = 要找的字句
    .index = `zhushu build` 所寫的資料夾
    .exact = 只找完全相同的字：不通異體，不通繁簡
    .no_variants = 通繁簡，不通異體
    .no_crossing = 經文為注隔斷處不連讀
    .context = 前後各顯示幾字
    .sort = 結果的次序
    .sort-reading = 先經文，後注釋，各依語料中的先後；同一文本中異體字列後
    .sort-place = 依語料中的先後
    .sort-left = 依前文，由最近的字起
    .sort-right = 依後文
    .limit = 顯示幾條；0 為全部［預設：text 為 20，其餘全部］
    .skip = 先略過幾條
    .count = 只要條數
    .by = 依層、書等分別計數
    .by-layer = 經、注、疏等
    .by-work = 書
    .by-chapter = 書與篇
    .by-commentator = 說話人
    .by-witness = 本子
    .frequencies = 所得各種字形，及各有幾次
    .ngrams = 含所找字句的 N 字連串，及各有幾次
    .collocates = 左右 N 字之內比全部所檢文字多見的字，依對數似然（Dunning 1993）
    .to-text = 給人讀的各行
    .to-json = 每行一項
    .to-csv = 逗號分隔，供試算表使用
    .to-html = HTML 表格

verify = 核對一篇文字的引文：所據各書中是否如此，在何處
    .texts = 含有引文的檔案，或引文本身；- 為標準輸入
    .books = 在何處找：`zhushu build` 所寫的資料夾、索引，或尚未做過的文本；可重複
    .to-text = 給人讀
    .to-json = 每個文本一項，各占一行
    .to-lines = 每條引文一行，格式同編譯器的訊息，供編輯器讀取
    .to-annotated = 原文，每條引文之後附結論

serve = 在本機開放做好的網站，並以其索引回答檢索
    .out = `zhushu build` 所寫的資料夾
    .host = 監聽的位址或名稱；用預設以外者，則其他機器也可連入
    .port = 監聽的埠；0 為任一空閒的埠
    .public = 不論以何主機名稱來訪皆答，如在代理伺服器之後；否則用預設位址時只答本機各名稱
    .any_site = 任何網站的網頁皆可查詢
    .query_time = 一個查詢至多用幾秒；有人等候時只有四分之一
    .reload = 重做之後（如 `build --watch`），已開的網頁自行重新載入
    .review = 在網頁中判定程式存疑之處；只限本機

mcp = 回答代人寫作的程式：檢索、某節、何者引之（Model Context Protocol）
    .folders = `build` 所寫的資料夾，或文本的資料夾，後者初次被問時才讀［預設：有 out 則用之，否則 corpus］

convert = 將一個檔案由任一輸入格式轉為任一輸出格式
    .file = 檔案；- 為標準輸入
    .to = 輸出格式［預設：依 -o 的副檔名，否則 json］
    .chapter = 全書之中只取此篇，用編號、篇名或 id
    .force = 用於 --to source：TEI 改過，已非所據之檔，仍照寫

export = 寫成一種版本：EPUB、PDF、Markdown、純文字、表格及其他各種格式
    .from_path = 要輸出的：`build` 所寫的資料夾、語料、檔案；- 為標準輸入
    .to = 輸出格式［預設：依 -o 的副檔名］
    .output = 寫入的檔案或資料夾；- 為標準輸出
    .force = 取代該資料夾中非 export 所寫的檔案
    .merge = 將一篇的各本合為一個文本；用篇名、編號或位址指定
    .base = 各本有異時以此本為準，用 id、檔名或略稱［預設：最長者］
    .notes = 合併的文本也收其他各本的注，各在其本中所隨文字之後
    .layers = 只要這些層，用漢字或拼音名稱；標題仍在
    .passages = 只取這些段落，用位址指明（論語 1.1、禮記 中庸 1-3），或用 @FILE 指一份清單
    .script = 輸出的字體：trad 繁、simp 簡、tw 臺灣、hk 香港；底本不變
    .readings = 訛損的字照底本，或用訂正者；另一種見於校記
    .readings-source = 照底本
    .readings-repaired = 本檔大概有訛損處，用訂正的字（雲作云之類）
    .punctuation = 輸出的標點
    .punctuation-source = 照底本
    .punctuation-fullwidth = 全形點號：，：；
    .punctuation-corner = 同上，引號依層次用「」『』
    .punctuation-curly = 同上，引號依層次用“”‘’
    .punctuation-none = 不用標點
    .punctuation-supplied = 照底本；全無標點者，取同篇有標點之本
    .punctuation-inferred = 同上，諸本皆無標點者，由讀過有標點諸書的網絡推定，每點附其把握
    .vertical = 直排，由右至左
    .paper = 紙張，用於有頁面的格式；16k 為 185 × 260 毫米（正度 16 開）［預設：a5］
    .marks = 標點的寬度，用於有頁面的格式
    .marks-full = 占一格，與他號相連及在行末時減半；預設如此
    .marks-half = 占半格
    .marks-hanging = 占一格，在行末則懸於版心之外
    .by_layer = 每層一個檔案
    .no_numbers = 不要句子編號
    .no_apparatus = 各文本之後不附校記
    .translation = 一節的譯文放在何處；facing 須有頁面（typst、pdf）
    .translation-below = 在該節之下
    .translation-facing = 在對頁
    .translation-none = 不放；譯文的文本本身仍寫出
    .apparatus = 校記放在何處
    .apparatus-end = 在各文本之後
    .apparatus-foot = 在頁腳
    .notes_at = 經的注放在何處，用於 docx、odt、latex［預設：foot］
    .notes_at-foot = 在頁腳
    .notes_at-inline = 在行內，用小字
    .title = 版本的題名［預設：依清單檔，或依文本］
    .from = 所讀檔案的格式［預設：由內容判定］
    .encoding = 所讀檔案的編碼，如 gb18030、big5［預設：由位元組判定］

align = 將經文與譯文逐句或逐讀對齊
    .source = 經文，有無注疏皆可
    .translation = 譯文
    .by = 以何為單位
    .by-sentence = 句
    .by-clause = 讀，在各組句子之內
    .to = 輸出格式：json、tsv 或 tmx［預設：依 -o 的副檔名，否則 json］
    .from = 經文的格式［預設：由內容判定］
    .translation_from = 譯文的格式［預設：由內容判定］
    .encoding = 兩個檔案的編碼［預設：由位元組判定］
    .no_prior = 只從古今相同的字開始，不用內建的今語詞表

collate = 校勘同一文本的各本，並將異文分類
    .paths = 各本：文本、全書、語料資料夾，或 `build` 所寫者
    .base = 與何本相校：依次序的編號，或檔名、id、略稱［預設：第一本；在同一資料夾中為最長者］
    .layer = 所校的層
    .chapter = 只校此篇，用篇名、編號或位址（yili.05）
    .indirect = 也收注中所稱的異文（今文、古文、校者所舉各本），及疏中引文與此不同之處
    .to = 輸出格式：summary、tsv、json、tei、tei-endpoints 或 html［預設：依 -o 的副檔名，否則 summary］

library = 收藏供各指令與你的文本一同讀取的文本：白文、他本
library-add = 讀取文本，或資料夾中所有文本，並收藏
    .paths = 文本與資料夾
library-list = 列出書庫，或其中某些的各篇
    .names = 名稱，如列表所示
library-remove = 移除以這些名稱所收者；文本本身不動
    .names = 名稱，如列表所示
library-update = 重讀收入之後有改動者
    .names = 名稱，如列表所示［預設：全部］

check = 讀取一切，印出警告與說明；不寫任何檔案
    .paths = 文本與語料資料夾，一同讀取［預設：corpus；沒有則為本資料夾］
    .all = 印出每一條診斷
    .strict = 有警告或錯誤時，結束碼為 1

sniff = 看檔案是什麼：編碼、格式、書與篇，附可信度與理由
    .files = 檔案，或文本的資料夾；- 為標準輸入
    .encoding = 檔案的編碼［預設：由位元組判定］
    .all = 列出所有各篇
    .to = 輸出的形式：text、tsv（每篇一行，不分篇者共一行）、json

init = 為一資料夾的文本寫清單檔，載所認出的書、篇與譯文
    .folder = 資料夾
    .output = 寫到何處；- 為標準輸出［預設：資料夾中的 zhushu.toml］

split = 列出文本的各層，或說明一節何以如此切分
    .place = 文本；- 為標準輸入；帶行號則只看該處一節
    .explain = 顯示每處切分的理由，及其他可能
    .below = 只看可信度低於此數的層首；與 --explain 並用時，只看有這種層首的各節
    .alternatives = 與 --explain 並用：所顯示其他可能的最低機率
    .to = 輸出的形式；tsv 不可與 --explain 並用

review = 判定程式存疑之處：在終端機中，或用試算表
    .file = 文本
    .kind = 只問這一種：cut（切分）、layer（層）、reading（用字）、link（關聯）、bead（對齊）、speaker（說話人）或 heading（標題）
    .layer = 只問此層開始之處
    .order = 先問什麼
    .order-instructive = 最能教會程式者
    .order-place = 文本中在前者
    .export = 將問題寫成供試算表用的表格（.tsv、.csv 或 .xlsx）；- 為標準輸出
    .import = 由這樣的表格讀入判定
    .with = 其他文本或語料資料夾，作為別本

diff = 顯示 `build` 所寫兩個資料夾之間的改動：層、用字、關聯、對齊
    .old = 較早的資料夾
    .new = 較晚的資料夾
    .kind = 只看這一種：text（文本）、layer（層）、reading（用字）、link（關聯）或 bead（對齊）
    .to-html = 一頁網頁

show = 依位址顯示一節，帶其各層與譯文
    .locus = 要看的：yili.05.2.3、一個範圍、一章、URN；書與篇也可用題名
    .paths = 文本、語料資料夾，或 `build` 所寫的資料夾［預設：out 若未過時則用之，否則 corpus］
    .layer = 只要這些層，用漢字或拼音名稱（經、zhu 等）
    .to-cite = 引用格式：中文腳注、GB/T 7714、Chicago、APA、MLA

gloss = 列出注家對某字的解說：訓詁、讀音、異文
    .headword = 所查之字詞，不論字體與異體［預設：全部］
    .texts = 文本：檔案、語料資料夾，或 `build` 所寫的資料夾
    .kind = 只要這些種類
    .by = 只要這些人所說，或這些本子的異文（鄭玄、古文）
    .layer = 只要出自這些層者，用漢字或拼音名稱（注、yin 等）
    .certainty = 只要可信度不低於此數者
    .dictionary = 自己的字典，一併列出：StarDict（.ifo），或每行為字頭、定位符號、釋文
    .to = 輸出格式
    .to-text = 供人閱讀
    .to-tsv = 以定位符號分隔的表格
    .to-json = 供程式使用

refs = 列出引用關係：文本所引的，或引某一節的
    .file = 文本、語料資料夾，或 `build` 所寫的資料夾；- 為標準輸入
    .to_passage = 只要引此節者，或與之平行者
    .from_passage = 只要由此節引出者
    .kind = 只要這些種類
    .layer = 只要出自這些層者，用漢字或拼音名稱（疏、zhu 等）
    .status = 只要這種狀態者
    .certainty = 只要可信度不低於此數者
    .work = 只要引此書或此篇者：周禮、儀禮・燕禮
    .to = 輸出格式：text、tsv、json、graphml 或 annotations［預設：依 -o 的副檔名，否則 text］

score = 與人工的切分比較，看文本切得多好
    .files = 各文本
    .gold = 一個文本的正確切分；每個 FILE 一個，次序相同
    .prediction = 不另切分，而評此切分（由 convert --to json 所寫）；每個 FILE 一個
    .across_lines = 行末的分界也計入，疏的除外［預設］
    .within_lines = 只計行內的分界
    .layers = 各層分別顯示
    .errors = 每個文本至多顯示 N 處漏切與 N 處誤切
    .to = 輸出的形式；tsv 沒有錯處，也沒有校準

formats = 列出可讀與可寫的格式、各步分析，及各層

demo = 將自帶的語料（《儀禮》五個文本及其清單檔）寫入新的資料夾
    .folder = 要建立的資料夾；文本在其中的 corpus/

self-test = 以自帶的語料試用本程式，並列出本機可供使用的其他程式與字型

completions = 印出供殼層使用的指令與選項補全
    .shell = 殼層

man = 寫出程式及各指令的手冊頁（man）
    .folder = 寫入的資料夾；- 則將程式的一頁寫到標準輸出
