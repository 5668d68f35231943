import {
  initiateRegistration,
  logIn as logInRoute,
  updateProfile,
  verifyRegistration,
} from '@portal/contracts/auth/http'
import {
  addUniversity,
  createProgram,
  enrollInProgram,
  listPrograms,
  removeProgram,
  renameUniversity,
} from '@portal/contracts/catalog/http'
import { listNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { addressOf } from '@portal/contracts/shared/address-of'
import { limits } from '@portal/contracts/shared/rules'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { callRoute, seededEmail } from '../testing/api-client.ts'
import { eventually } from '../testing/portal-process.ts'
import { readOutbox } from '../testing/read-outbox.ts'
import type { AuditPortal } from './audit-portal.ts'
import { call, callerAddress } from './call.ts'
import { hostileTexts } from './hostile-texts.ts'
import { createFailures, type Failures, type Row } from './row.ts'

/** Runs before the page's own code: whatever a hostile text does leaves a mark, and so does what the policy stopped. */
const marker = `
  window.__marks = [];
  Object.defineProperty(window, '__hit', { set: () => window.__marks.push('window.__hit was set') });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    window.__marks.push('the policy stopped ' + effectiveDirective + ' ' + blockedURI);
  });
`

/** Pictures of any https address are allowed, and these are not there. */
const harmless = /^the policy stopped (img-src|connect-src|media-src)/

/** How long a page is given to show what it was opened for. */
const shownTimeoutMs = 10_000

type Account = { readonly email: string; readonly password: string }
type Written = { readonly accepted: number; readonly refused: number }

const cut = (text: string, chars: number): string =>
  Array.from(text)
    .slice(0, Math.floor(chars / 2))
    .join('')

const post = async (portal: AuditPortal, route: AnyRoute, token: string, body: object, params = {}) => {
  const answer = await call(portal.address, {
    method: route.method,
    path: addressOf(route, { params }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const isAccepted = answer.status < 300
  return { isAccepted, status: answer.status, body: isAccepted ? (JSON.parse(answer.text) as unknown) : undefined }
}

const createTally = (failures: Failures) => {
  let accepted = 0
  let refused = 0
  return {
    note: (
      what: string,
      { isAccepted, status }: { readonly isAccepted: boolean; readonly status: number },
    ): boolean => {
      if (isAccepted) accepted += 1
      else refused += 1
      if (status >= 500 || status === 429 || status === 401) failures.add(`${what}: ${status}`)
      return isAccepted
    },
    get written(): Written {
      return { accepted, refused }
    },
  }
}
type Tally = ReturnType<typeof createTally>

/** Each text in every text field of a program, the address fields included. */
const writePrograms = async (portal: AuditPortal, token: string, texts: readonly string[], tally: Tally) => {
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
    // Where the text is not let through as an address, it comes as part of one.
    const address = `/pictures/${text.replaceAll(/\s/g, '')}`
    const inAddress = {
      toolkit: [{ name, logoUrl: address }],
      facts: [{ content: text, imageUrl: address, highlight: short }],
    }
    if (!tally.note('a program', await post(portal, createProgram, token, { ...program, ...asAddress })))
      tally.note('a program', await post(portal, createProgram, token, { ...program, ...inAddress }))
  }
}

const writeUniversities = async (portal: AuditPortal, token: string, texts: readonly string[], tally: Tally) => {
  const id = portal.knownIds[2] ?? ''
  for (const text of texts) {
    const name = cut(text, limits.nameChars)
    tally.note('a university', await post(portal, addUniversity, token, { name }))
    tally.note(
      'a university',
      await post(portal, renameUniversity, token, { name: `${cut(text, 60)} renamed` }, { id }),
    )
  }
}

const sendAll = async (portal: AuditPortal, token: string, texts: readonly string[], tally: Tally) => {
  const userIds = [portal.userIds.get(seededEmail(1))]
  for (const text of texts) {
    const notification = { userIds, title: cut(text, limits.titleChars), message: text, type: 'General' }
    tally.note('a send', await post(portal, sendNotification, token, notification))
  }
}

/** Registers somebody whose name is the text, and who then also changes their name to it. */
const register = async (
  portal: AuditPortal,
  text: string,
  number: number,
  tally: Tally,
): Promise<Account | undefined> => {
  const account = { email: `hostile-${number}@example.com`, password: 'Quiet-harbor-71' }
  const mobileNumber = String(8_000_000_000 + number)
  const name = cut(text, limits.nameChars)
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': callerAddress(number) }
  const details = { fullName: name, universityName: 'Eastbrook University', mobileNumber, personalEmail: account.email }
  const begun = await call(portal.address, {
    method: initiateRegistration.method,
    path: initiateRegistration.path,
    headers,
    body: JSON.stringify({ ...details, password: account.password }),
  })
  if (!tally.note('a registration', { isAccepted: begun.status < 300, status: begun.status })) return undefined
  const sent = await eventually('the code was sent', async () =>
    (await readOutbox(portal.dataDir)).find(({ to, code }) => to === account.email && code !== undefined),
  )
  const done = await call(portal.address, {
    method: verifyRegistration.method,
    path: verifyRegistration.path,
    headers,
    body: JSON.stringify({ email: account.email, mobileNumber, otpEmail: sent.code }),
  })
  if (!tally.note('a registration', { isAccepted: done.status < 300, status: done.status })) return undefined
  return account
}

/** A browser in which this account is logged in, watched for anything that runs. */
const openAs = async (
  browser: Browser,
  portal: AuditPortal,
  account: Account | undefined,
  failures: Failures,
): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly token: string }> => {
  const data = account
    ? (
        await callRoute(portal.address, logInRoute, {
          body: { personalEmail: account.email, password: account.password },
        })
      ).data
    : undefined
  const stored = data ? { user: JSON.stringify(data.user), token: data.token, isLoggedIn: 'true' } : {}
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    baseURL: portal.address,
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    storageState: { cookies: [], origins: [{ origin: portal.address, localStorage }] },
  })
  await context.addInitScript({ content: marker })
  await context.route(
    ({ hostname }) => hostname === 'evil.example',
    (route) => {
      failures.add(`${route.request().url()} was asked for`)
      return route.abort()
    },
  )
  const page = await context.newPage()
  page.on('dialog', (dialog) => {
    failures.add(`a dialog on ${page.url()}: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('frameattached', (frame) => failures.add(`a frame on ${page.url()}: ${frame.url()}`))
  return { context, page, token: data?.token ?? '' }
}

const marksOf = (page: Page): Promise<unknown> =>
  page.evaluate(`[
    ...window.__marks.splice(0),
    ...(document.body.dataset.hit ? ['document.body was changed'] : []),
    ...[...document.querySelectorAll('script')].filter((one) => !one.src && one.textContent.includes('__hit=1')).map(() => 'a script was added'),
    ...[...document.querySelectorAll('a[href], form[action], iframe[src]')]
      .map((one) => one.getAttribute('href') ?? one.getAttribute('action') ?? one.getAttribute('src'))
      .filter((address) => /^[\\s\\u0000-\\u001f]*j[\\s]*a[\\s]*v[\\s]*a[\\s]*s[\\s]*c[\\s]*r[\\s]*i[\\s]*p[\\s]*t[\\s]*:|^data:text/i.test(address))
      .map((address) => 'an address that runs: ' + address),
  ]`)

const look = async (page: Page, failures: Failures): Promise<void> => {
  const marks = await marksOf(page)
  if (!Array.isArray(marks)) throw new Error('the page kept no marks')
  for (const mark of marks) if (!harmless.test(String(mark))) failures.add(`${String(mark)} (on ${page.url()})`)
}

/** Loads a page anew and waits until it shows one of the texts. */
const visit = async (page: Page, path: string, failures: Failures): Promise<void> => {
  await page.goto(path)
  await page.waitForLoadState('networkidle').catch(() => undefined) // a page that keeps asking is looked at all the same
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  await look(page, failures)
}

/** Goes to a page inside the loaded client, as a link does, and waits until it shows the text, by itself or in a field. */
const follow = async (page: Page, path: string, text: string, failures: Failures): Promise<boolean> => {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
  )
  // Lone surrogates are replaced on their way, and white space is folded.
  const beginning = JSON.stringify(text.toWellFormed().trim().replaceAll(/\s+/g, ' ').slice(0, 20))
  const isShown = `(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value)
    return [document.body.textContent, ...fields].some((one) => one.replace(/\\s+/g, ' ').includes(${beginning}))
  })()`
  // Asked again and again from here: a function that waits inside the page would need eval, which the policy stops.
  const shown = await eventually(
    'the page shows the text',
    async () => (await page.evaluate(isShown)) === true,
    shownTimeoutMs,
  ).then(
    () => true,
    () => false,
  )
  await look(page, failures)
  return shown
}

/** Hostile texts written into every text field, and shown in Chromium on every page that shows them. */
export const showHostileTexts = async (portal: AuditPortal, count: number): Promise<Row> => {
  const failures = createFailures()
  const tally = createTally(failures)
  const texts = hostileTexts(count)
  const adminToken = await portal.logIn('admin')
  const browser = await launchBrowser()
  let visits = 0
  let shown = 0
  let expectedShown = 0
  const go = async (page: Page, path: string) => {
    visits += 1
    await visit(page, path, failures)
  }
  const goInside = async (page: Page, path: string, text: string) => {
    visits += 1
    expectedShown += 1
    if (await follow(page, path, text, failures)) shown += 1
  }
  try {
    await writePrograms(portal, adminToken, texts, tally)
    await writeUniversities(portal, adminToken, texts, tally)
    const programs = await callRoute(portal.address, listPrograms)

    const learner = await openAs(browser, portal, portal.accounts.student, failures)
    for (const { _id } of programs.slice(0, Math.ceil(programs.length / 2)))
      tally.note('an enrollment', await post(portal, enrollInProgram, learner.token, {}, { id: _id }))
    await go(learner.page, '/notification')
    // While the page is open, so that they are also shown as they arrive.
    await sendAll(portal, adminToken, texts, tally)
    await look(learner.page, failures)
    for (const path of ['/', '/home', '/my-program', '/notification', '/profile', '/edit-profile', '/payment'])
      await go(learner.page, path)
    for (const [index, { _id, programName }] of programs.entries()) {
      const isEnrolled = index < Math.ceil(programs.length / 2)
      await goInside(learner.page, `/program-details-${isEnrolled ? 'active' : 'inactives'}/${_id}`, programName)
    }
    for (let page = 1; page <= Math.ceil(texts.length / limits.pageSize); page++) {
      const query = { page, limit: limits.pageSize }
      const inbox = await callRoute(portal.address, listNotifications, { token: learner.token, query })
      for (const { _id, title } of inbox.notifications) await goInside(learner.page, `/notification/${_id}`, title)
    }
    await learner.context.close()

    for (const [number, text] of texts.entries()) {
      const account = await register(portal, text, number, tally)
      if (!account) continue
      const { context, page, token } = await openAs(browser, portal, account, failures)
      tally.note('a profile', await post(portal, updateProfile, token, { fullName: cut(text, limits.nameChars) }))
      await go(page, '/profile')
      await goInside(page, '/edit-profile', cut(text, limits.nameChars))
      await context.close()
    }

    const anonymous = await openAs(browser, portal, undefined, failures)
    for (const path of ['/', '/login', '/register', `/reset-password?token=${encodeURIComponent(texts[0] ?? '')}`])
      await go(anonymous.page, path)
    await anonymous.context.close()

    const faculty = await openAs(browser, portal, portal.accounts.faculty, failures)
    for (const path of ['/faculty/dashboard', '/home', '/my-program']) await go(faculty.page, path)
    await faculty.context.close()

    const admin = await openAs(browser, portal, portal.accounts.admin, failures)
    for (const path of ['/admin/dashboard', '/admin/programs', '/admin/universities', '/admin/notifications'])
      await go(admin.page, path)
    for (const { _id, programName } of programs) await goInside(admin.page, `/admin/programs/edit/${_id}`, programName)
    tally.note('a profile', await post(portal, updateProfile, adminToken, { fullName: cut(texts.at(-1) ?? '', 100) }))
    await go(admin.page, '/admin/profile')
    await admin.context.close()
  } finally {
    await browser.close()
  }
  // Otherwise the row would pass because nothing was shown.
  if (shown < expectedShown * 0.9) failures.add(`only ${shown} of ${expectedShown} texts were shown`)
  const { accepted, refused } = tally.written
  return {
    name: 'hostile texts',
    tried: `${texts.length} texts through every text field: ${accepted.toLocaleString('en')} writes accepted, ${refused.toLocaleString('en')} refused; ${visits.toLocaleString('en')} page views in Chromium`,
    expected:
      'none runs, opens a dialog or a frame, is stopped by the policy as a script, or becomes an address that runs',
    found: `${failures.count} marks; ${shown} of ${expectedShown} single pages showed their text`,
    failures: failures.lines(),
  }
}
