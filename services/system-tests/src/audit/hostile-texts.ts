import { createApiKey } from '@portal/contracts/auth/api-keys'
import { initiateRegistration, updateProfile, verifyRegistration } from '@portal/contracts/auth/http'
import { invite } from '@portal/contracts/auth/invitations'
import {
  addUniversity,
  createProgram,
  enrollInProgram,
  listPrograms,
  removeProgram,
  renameUniversity,
} from '@portal/contracts/catalog/http'
import { sendNotification } from '@portal/contracts/notifications/http'
import { buildUrl, type AnyRoute } from '@portal/contracts/shared/route'
import { limits } from '@portal/contracts/shared/rules'
import { callRoute, seededEmail } from '../testing/api-client.ts'
import { eventually, readDevMailbox } from '../testing/portal-process.ts'
import type { AuditPortal } from './audit-portal.ts'
import { sendRaw, callerAddress } from './raw-http.ts'
import type { Failures } from './audit-result.ts'

/** Scripts that the texts try to run. The page is prepared so that each leaves a mark. */
const payloads = [
  'window.__hit=1',
  'alert(1)',
  "fetch('//evil.example/x')",
  "document.body.dataset.hit='1'",
  'parent.__hit=1',
] as const

/** Known ways to inject a script through text. */
const injections: readonly ((act: string) => string)[] = [
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

/** Texts without scripts that break layout, sorting or comparison. */
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

/** Returns `count` different texts of all kinds, always the same; slightly more than 200 exist. */
export const hostileTexts = (count: number): readonly string[] => {
  const odd = oddTexts.slice(0, Math.ceil(count / 3))
  const scripted = payloads.flatMap((act) => injections.map((carrier) => carrier(act)))
  const wanted = Math.min(count - odd.length, scripted.length)
  // Spread over all kinds, so that a small run covers each.
  const picked = Array.from({ length: wanted }, (_, n) => scripted[Math.floor((n * scripted.length) / wanted)] ?? '')
  return [...odd, ...picked]
}

const cut = (text: string, chars: number): string =>
  Array.from(text)
    .slice(0, Math.floor(chars / 2))
    .join('')

type Written = { readonly isAccepted: boolean; readonly status: number }

/** Writes to the portal and counts accepted writes. Rejections are expected; server errors are failures. */
export const createWriter = (portal: AuditPortal, failures: Failures) => {
  let accepted = 0
  let refused = 0
  const note = (what: string, { isAccepted, status }: Written): boolean => {
    if (isAccepted) accepted += 1
    else refused += 1
    if (status >= 500 || status === 429 || status === 401) failures.add(`${what}: ${status}`)
    return isAccepted
  }
  const post = async (
    what: string,
    { method, path }: { readonly method: string; readonly path: string },
    headers: Readonly<Record<string, string>>,
    body: object,
  ): Promise<boolean> => {
    const answer = await sendRaw(portal.address, {
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return note(what, { isAccepted: answer.status < 300, status: answer.status })
  }
  return {
    portal,
    post,
    /** Writes with the session of this token. */
    write: (what: string, route: AnyRoute, token: string, body: object, params = {}): Promise<boolean> =>
      post(
        what,
        { method: route.method, path: buildUrl(route, { params }) },
        { authorization: `Bearer ${token}` },
        body,
      ),
    get written() {
      return { accepted, refused }
    },
  }
}
export type Writer = ReturnType<typeof createWriter>

/** Writes each text into every text field of a program, including URL fields. */
export const writePrograms = async ({ portal, write }: Writer, token: string, texts: readonly string[]) => {
  for (const { _id } of await callRoute(portal.address, listPrograms))
    await callRoute(portal.address, removeProgram, { token, params: { id: _id } })
  for (const [index, text] of texts.slice(0, limits.programs).entries()) {
    const name = cut(text, limits.nameChars)
    const short = cut(text, limits.shortTextChars)
    const program = {
      programId: `${cut(text, limits.nameChars - 10)} ${index}`,
      programName: name,
      detail: text,
      fee: short,
      collegeName: name,
      eligibility: text,
      semesters: [{ fee: short }],
      enrollmentDetails: { fee: short },
    }
    const asAddress = {
      toolkit: [{ name, logoUrl: text }],
      facts: [{ content: text, imageUrl: text, highlight: short }],
    }
    // If the URL field rejects the text, it becomes part of a valid URL.
    const address = `/pictures/${text.replaceAll(/\s/g, '')}`
    const inAddress = {
      toolkit: [{ name, logoUrl: address }],
      facts: [{ content: text, imageUrl: address, highlight: short }],
    }
    if (!(await write('a program', createProgram, token, { ...program, ...asAddress })))
      await write('a program', createProgram, token, { ...program, ...inAddress })
  }
}

export const writeUniversities = async ({ portal, write }: Writer, token: string, texts: readonly string[]) => {
  const id = portal.knownIds[2] ?? ''
  for (const text of texts) {
    const name = cut(text, limits.nameChars)
    await write('a university', addUniversity, token, { name })
    await write('a university', renameUniversity, token, { name: `${cut(text, 60)} renamed` }, { id })
  }
}

export const sendAll = async ({ portal, write }: Writer, token: string, texts: readonly string[]) => {
  const userIds = [portal.userIds.get(seededEmail(1))]
  for (const text of texts) {
    const written = { title: cut(text, limits.titleChars), message: text }
    const notification = { userIds, ...written, type: 'General', translation: { lang: 'hi', ...written } }
    await write('a send', sendNotification, token, notification)
  }
}

/** The text cut to the length of a name. */
export const nameOf = (text: string): string => cut(text, limits.nameChars)

/** An admin can invite 20 an hour. The page shows the newest five. */
const invited = 15

export const inviteAll = async ({ write }: Writer, token: string, texts: readonly string[]) => {
  for (const [n, text] of texts.slice(-invited).entries()) {
    const invitation = { fullName: nameOf(text), personalEmail: `invited-${n}@example.com`, role: 'faculty' }
    await write('an invitation', invite, token, invitation)
  }
}

export const changeName = ({ write }: Writer, token: string, text: string): Promise<boolean> =>
  write('a profile', updateProfile, token, { fullName: nameOf(text) })

export const createKey = ({ write, portal }: Writer, token: string, text: string): Promise<boolean> => {
  const { password } = portal.accounts.admin
  return write('an API key', createApiKey, token, { label: cut(text, 60), rights: ['send'], password })
}

export const enroll = ({ write }: Writer, token: string, programId: string): Promise<boolean> =>
  write('an enrollment', enrollInProgram, token, {}, { id: programId })

export type Account = { readonly email: string; readonly password: string }

/** Registers an account with the text as name. Returns undefined if the portal rejects it. */
export const register = async (
  { portal, post }: Writer,
  text: string,
  number: number,
): Promise<Account | undefined> => {
  const account = { email: `hostile-${number}@example.com`, password: 'Quiet-harbor-71' }
  const mobileNumber = String(8_000_000_000 + number)
  const headers = { 'x-forwarded-for': callerAddress(number) }
  const details = { fullName: nameOf(text), universityName: 'Eastbrook University', mobileNumber }
  const begun = { ...details, personalEmail: account.email, password: account.password }
  if (!(await post('a registration', initiateRegistration, headers, begun))) return undefined
  const sent = await eventually('the code was sent', async () =>
    (await readDevMailbox(portal.dataDir)).find(({ to, code }) => to === account.email && code !== undefined),
  )
  const codes = { email: account.email, mobileNumber, otpEmail: sent.code }
  return (await post('a registration', verifyRegistration, headers, codes)) ? account : undefined
}
