import { existsSync } from 'node:fs'
import { listUsers, logIn as logInRoute } from '@portal/contracts/auth/http'
import { listPrograms } from '@portal/contracts/catalog/http'
import type { Program } from '@portal/contracts/catalog/program'
import { listNotifications, listRecentNotifications } from '@portal/contracts/notifications/http'
import { limits } from '@portal/contracts/shared/rules'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { callRoute } from '../testing/api-client.ts'
import { eventually } from '../testing/portal-process.ts'
import type { AuditPortal } from './audit-portal.ts'
import {
  type Account,
  changeName,
  createKey,
  createWriter,
  enroll,
  hostileTexts,
  nameOf,
  register,
  inviteAll,
  sendAll,
  type Writer,
  writePrograms,
  writeUniversities,
} from './hostile-texts.ts'
import { createFailures, type Failures, type AuditResult } from './audit-result.ts'

/** Runs before the code of the page and records every script that runs or that the policy blocks. */
const marker = `
  window.__marks = [];
  Object.defineProperty(window, '__hit', { set: () => window.__marks.push('window.__hit was set') });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    window.__marks.push('the policy stopped ' + effectiveDirective + ' ' + blockedURI);
  });
`

/** Images from any https address are permitted; these do not exist. */
const harmless = /^the policy stopped (img-src|connect-src|media-src)/

/** Time for a page to show its text. */
const shownTimeoutMs = 10_000

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser that `make test` found or installed, or CHROMIUM_PATH. */
const launchBrowser = (): Promise<Browser> => {
  const candidates = [process.env['CHROMIUM_PATH'], ...usualPaths]
  const found = candidates.find((path) => path !== undefined && existsSync(path))
  return chromium.launch({
    executablePath: found ?? chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  })
}

/** Opens a page logged in as this account, and reports everything that runs. */
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

/** Loads a page and checks it for marks. */
const visit = async (page: Page, path: string, failures: Failures): Promise<void> => {
  await page.goto(path)
  await page.waitForLoadState('networkidle').catch(() => undefined) // a page that keeps asking is looked at all the same
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  await look(page, failures)
}

/** Navigates inside the loaded client, as a link does, and waits until the page or a field shows the text. */
const follow = async (page: Page, path: string, text: string, failures: Failures): Promise<boolean> => {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
  )
  // Transport replaces lone surrogates, and HTML collapses white space.
  const beginning = JSON.stringify(text.toWellFormed().trim().replaceAll(/\s+/g, ' ').slice(0, 20))
  const isShown = `(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value)
    return [document.body.textContent, ...fields].some((one) => one.replace(/\\s+/g, ' ').includes(${beginning}))
  })()`
  // Polled from here: a function that waits inside the page would need eval, which the policy blocks.
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

/** Opens pages and counts those that showed their text. */
const createTour = (browser: Browser, portal: AuditPortal, failures: Failures) => {
  let visits = 0
  let shown = 0
  let expectedShown = 0
  return {
    /** Visits pages as this account in a separate browser context. */
    as: async (account: Account | undefined, show: (page: Page, token: string) => Promise<void>): Promise<void> => {
      const { context, page, token } = await openAs(browser, portal, account, failures)
      await show(page, token)
      await context.close()
    },
    look: (page: Page) => look(page, failures),
    go: async (page: Page, ...paths: readonly string[]): Promise<void> => {
      for (const path of paths) {
        visits += 1
        await visit(page, path, failures)
      }
    },
    goInside: async (page: Page, path: string, text: string): Promise<void> => {
      visits += 1
      expectedShown += 1
      if (await follow(page, path, text, failures)) shown += 1
    },
    get counts() {
      return { visits, shown, expectedShown }
    },
  }
}
type Tour = ReturnType<typeof createTour>
/** Shared by all parts of the tour. */
type Shown = {
  readonly tour: Tour
  readonly writer: Writer
  readonly adminToken: string
  readonly texts: readonly string[]
}

const showToLearner = async ({ tour, writer, adminToken, texts }: Shown, programs: readonly Program[]) => {
  const { portal } = writer
  const enrolled = Math.ceil(programs.length / 2)
  await tour.as(portal.accounts.student, async (page, token) => {
    for (const { _id } of programs.slice(0, enrolled)) await enroll(writer, token, _id)
    await tour.go(page, '/notification')
    // Sent while the page is open, so that they also arrive by socket.
    await sendAll(writer, adminToken, texts)
    await tour.look(page)
    await tour.go(
      page,
      '/',
      '/home',
      '/my-program',
      '/notification',
      '/profile',
      '/profile/notifications',
      '/profile/sessions',
      '/profile/security',
      '/edit-profile',
      '/payment',
    )
    for (const [index, { _id, programName }] of programs.entries()) {
      const path = index < enrolled ? `/program-details-active/${_id}` : `/program-details-inactives/${_id}`
      await tour.goInside(page, path, programName)
    }
    for (let number = 1; number <= Math.ceil(texts.length / limits.pageSize); number++) {
      const query = { page: number, limit: limits.pageSize }
      const inbox = await callRoute(portal.address, listNotifications, { token, query })
      for (const { _id, title } of inbox.notifications) await tour.goInside(page, `/notification/${_id}`, title)
    }
  })
}

const showAsNames = async ({ tour, writer, texts }: Shown) => {
  for (const [number, text] of texts.entries()) {
    const account = await register(writer, text, number)
    if (!account) continue
    await tour.as(account, async (page, token) => {
      await changeName(writer, token, text)
      await tour.go(page, '/profile')
      await tour.goInside(page, '/edit-profile', nameOf(text))
    })
  }
}

const showToOthers = async ({ tour, writer, adminToken, texts }: Shown, programs: readonly Program[]) => {
  const { accounts } = writer.portal
  await tour.as(undefined, (page) =>
    tour.go(page, '/', '/login', '/register', `/reset-password?token=${encodeURIComponent(texts[0] ?? '')}`),
  )
  await tour.as(accounts.faculty, (page) => tour.go(page, '/faculty/dashboard', '/home', '/my-program'))
  await tour.as(accounts.admin, async (page) => {
    await tour.go(
      page,
      '/admin/dashboard',
      '/admin/programs',
      '/admin/universities',
      '/admin/notifications',
      '/admin/dashboard/users',
      '/admin/dashboard/audit',
    )
    for (const { _id, programName } of programs) {
      await tour.goInside(page, `/admin/programs/edit/${_id}`, programName)
      await tour.goInside(page, `/admin/programs/${_id}/preview`, programName)
      await tour.go(page, `/admin/programs/${_id}/learners`)
    }
    const sent = await callRoute(writer.portal.address, listRecentNotifications, { token: adminToken })
    for (const { _id, title } of sent.notifications) await tour.goInside(page, `/admin/notifications/${_id}`, title)
    const { users } = await callRoute(writer.portal.address, listUsers, { token: adminToken })
    for (const { _id, fullName } of users) await tour.goInside(page, `/admin/people/${_id}`, fullName)
    await changeName(writer, adminToken, texts.at(-1) ?? '')
    await tour.go(page, '/admin/profile', '/admin/profile/notifications', '/admin/profile/sessions')
    await createKey(writer, adminToken, texts.at(-1) ?? '')
    await tour.go(page, '/admin/profile/api-keys', '/admin/profile/security')
  })
}

/** Writes hostile texts into every text field, and opens every page that shows them in Chromium. */
export const renderHostileTexts = async (portal: AuditPortal, count: number): Promise<AuditResult> => {
  const failures = createFailures()
  const writer = createWriter(portal, failures)
  const texts = hostileTexts(count)
  const adminToken = await portal.logIn('admin')
  const browser = await launchBrowser()
  const tour = createTour(browser, portal, failures)
  const shown = { tour, writer, adminToken, texts }
  try {
    await writePrograms(writer, adminToken, texts)
    await writeUniversities(writer, adminToken, texts)
    await inviteAll(writer, adminToken, texts)
    const programs = await callRoute(portal.address, listPrograms)
    await showToLearner(shown, programs)
    await showAsNames(shown)
    await showToOthers(shown, programs)
  } finally {
    await browser.close()
  }
  const { counts } = tour
  // The audit must not pass because nothing was shown.
  if (counts.shown < counts.expectedShown * 0.9)
    failures.add(`only ${counts.shown} of ${counts.expectedShown} texts were shown`)
  const { accepted, refused } = writer.written
  return {
    name: 'hostile texts',
    tried: `${texts.length} texts through every text field: ${accepted.toLocaleString('en')} writes accepted, ${refused.toLocaleString('en')} refused; ${counts.visits.toLocaleString('en')} page views in Chromium`,
    expected:
      'none runs, opens a dialog or a frame, is stopped by the policy as a script, or becomes an address that runs',
    found: `${failures.count} marks; ${counts.shown} of ${counts.expectedShown} single pages showed their text`,
    failures: failures.lines(),
  }
}
