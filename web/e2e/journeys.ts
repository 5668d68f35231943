import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logIn as logInRoute } from '@portal/contracts/auth/http'
import { sendNotification } from '@portal/contracts/notifications/http'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { admin, eventually } from '@portal/system-tests/testing/portal-process'
import {
  desktop,
  isIdle,
  launchBrowser,
  openPage,
  phone,
  pageStateOf,
  preparePages,
  type BrowserKind,
  type ConsoleError,
} from './browser.ts'
import { expect } from './expect.ts'
import { keepFailure, startTrace } from './failure-artifacts.ts'
import { recordLayoutShifts } from './layout-shift.ts'

/** The portal that a journey runs against. */
export type RunningPortal = {
  readonly address: string
  readonly dataDir: string
  stop(): Promise<unknown>
}

export type Account = { readonly email: string; readonly password: string }

type Text = {
  readonly title: string
  readonly type?: NotificationType
  readonly message?: string
  readonly button?: { readonly label: string; readonly url: string }
}

type Message = {
  readonly channel: string
  readonly to: string
  readonly subject?: string
  readonly code?: string
  readonly link?: string
}

/**
 * Starts a browser and a portal for the journeys of one file. A journey fails on any error in a page's console, unless it has
 * announced it with `expectConsoleErrors`. PAGES=translated, PAGES=old or PAGES=kept: in this state.
 */
export const setUpJourneys = <Portal extends RunningPortal>(
  startPortal: () => Promise<Portal>,
  browserKind: BrowserKind = 'shell',
  pageState = pageStateOf(process.env['PAGES']),
) => {
  let browser: Browser | undefined
  let portal: Portal | undefined
  const contexts: BrowserContext[] = []
  const consoleErrors: ConsoleError[] = []
  const allowedErrors: RegExp[] = []

  const startedPortal = (): Portal => {
    if (!portal) throw new Error('The portal has not been started')
    return portal
  }

  beforeAll(async () => {
    portal = await startPortal()
    // The shell keeps no page.
    browser = await (pageState === 'kept' ? launchBrowser('whole', true) : launchBrowser(browserKind))
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepFailure(task.name, contexts)
    // A round trip to each page delivers its console errors first.
    const pages = contexts.flatMap((context) => context.pages())
    await Promise.all(pages.map((page) => page.evaluate('0').catch(() => undefined)))
    const allowedPatterns = allowedErrors.splice(0)
    const unexpected = consoleErrors.filter(
      (consoleError) => !allowedPatterns.some((pattern) => pattern.test(consoleError.text)),
    )
    for (const context of contexts.splice(0)) {
      // Mocked responses that are still pending cannot be delivered any more.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    // Ignore errors from closing the pages: their requests fail.
    consoleErrors.length = 0
    expect(unexpected.map(({ text, where }) => `${text} (${where})`).join('\n')).toBe('')
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.stop()
  })

  /**
   * A context with its own cookies and storage. Service workers are blocked by default, because each would fetch the whole client
   * again.
   */
  const newContextWith = async (options: BrowserContextOptions): Promise<BrowserContext> => {
    if (!browser) throw new Error('The browser has not been started')
    const context = await browser.newContext({ baseURL: startedPortal().address, ...options })
    contexts.push(context)
    await startTrace(context)
    // It reads what old browsers do not have.
    if (pageState !== 'old') await recordLayoutShifts(context)
    await preparePages(context, pageState)
    context.once('close', () => {
      const at = contexts.indexOf(context)
      if (at >= 0) contexts.splice(at, 1)
    })
    return context
  }

  const newContext = (viewport = phone, serviceWorkers: 'allow' | 'block' = 'allow'): Promise<BrowserContext> =>
    newContextWith({ viewport, serviceWorkers })

  /** A signed-in context. The login form has its own journeys. */
  const signedInContext = async ({ email, password }: Account, viewport = phone): Promise<BrowserContext> => {
    const { address } = startedPortal()
    const { data } = await callRoute(address, logInRoute, { body: { personalEmail: email, password } })
    const stored = { user: JSON.stringify(data.user), token: data.token, isLoggedIn: 'true' }
    const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
    const storageState = { cookies: [], origins: [{ origin: address, localStorage }] }
    return newContextWith({ viewport, serviceWorkers: 'allow', storageState })
  }

  /** A page without an address whose errors are recorded. */
  const newPage = (context: BrowserContext): Promise<Page> => openPage(context, consoleErrors)

  const open = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await newPage(context)
    await page.goto(path)
    await waitForHydration(page)
    return page
  }

  const openAs = async (account: Account, path: string, viewport = phone): Promise<Page> =>
    open(await signedInContext(account, viewport), path)

  /** A token for requests of another admin. */
  const adminToken = async (): Promise<string> =>
    (await logIn(startedPortal().address, admin.email, admin.password)).token

  /** Sends these notifications to all of the accounts. Returns their ids. */
  const send = async (accounts: readonly Account[], ...texts: readonly Text[]): Promise<readonly string[]> => {
    const { address } = startedPortal()
    const token = await adminToken()
    const readers = await Promise.all(accounts.map(({ email, password }) => logIn(address, email, password)))
    const userIds = readers.map(({ userId }) => userId)
    const ids: string[] = []
    for (const text of texts) {
      const body = { userIds, type: 'General', message: `Text of ${text.title}`, ...text }
      ids.push((await callRoute(address, sendNotification, { token, body })).notificationId)
    }
    return ids
  }

  /** Logs in by the form. Returns at the success message, before the page redirects. */
  const signIn = async (context: BrowserContext, { email, password }: Account): Promise<Page> => {
    const page = await open(context, '/login')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByText('Login successful! Redirecting...').waitFor()
    return page
  }

  return {
    portal: startedPortal,
    newContext,
    newContextWith,
    signedInContext,
    newPage,
    open,
    openAs,
    openAsAdmin: (path: string, viewport = desktop) => openAs(admin, path, viewport),
    adminToken,
    send,
    signIn,
    /** The newest message to this address or number that matches `isWanted`. */
    findSentMessage: (to: string, isWanted: (message: Message) => boolean = () => true): Promise<Message> =>
      eventually(`the outbox has a message to ${to}`, async () => {
        const text = await readFile(join(startedPortal().dataDir, 'outbox.jsonl'), 'utf8').catch(() => '')
        const messages = text.split('\n').slice(0, -1)
        return messages.map((line): Message => JSON.parse(line)).findLast((one) => one.to.includes(to) && isWanted(one))
      }),
    /** Allows console errors that a journey causes on purpose, such as 'status of 500' or 'net::ERR_FAILED'. */
    expectConsoleErrors: (pattern: RegExp): void => void allowedErrors.push(pattern),
  }
}

/** Delays requests to these API routes, as on a slow network, until the returned function is called. */
export const delayRequests = async (page: Page, path: RegExp): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      if (!route.request().isNavigationRequest()) await promise
      await route.fallback()
    },
  )
  return () => resolve()
}

/** React marks the elements that it has taken over from a page that the build has rendered. Before that, nothing answers a click. */
const isHydrated = `(() => {
  const title = document.querySelector('#root[data-path] h1')
  return title === null || Object.keys(title).some((key) => key.startsWith('__reactFiber'))
})()`

const waitForHydration = (page: Page): Promise<unknown> =>
  eventually('React has taken over the page', () => page.evaluate<boolean>(isHydrated), 30_000)

/** Pauses the page's clock. The test advances it with `page.clock`, so timing is exact even on a busy machine. */
export const pauseClock = async (page: Page): Promise<void> => {
  // The application starts after the first paint, and would not start on a paused clock.
  await eventually('the application has started', () =>
    page.evaluate<boolean>('globalThis.applicationFiles === undefined'),
  )
  await waitForHydration(page)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

/** Logs out of a page that has the button, after the confirmation. */
export const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
}

/** What the browser has stored of the session. Page code is a string, because these files have no DOM types. */
export const storedSession = (page: Page): Promise<readonly (string | null)[]> =>
  page.evaluate("['user', 'token', 'isLoggedIn'].map((key) => localStorage.getItem(key))")
export const noSession = [null, null, null]

export const waitForFocus = (element: Locator): Promise<void> => element.and(element.page().locator(':focus')).waitFor()

/**
 * Call before a test ends the session. A page with pending requests or a late socket would use the ended session and log a
 * rejection.
 */
export const waitForIdle = async (page: Page): Promise<void> => {
  const connectedAndIdle = async () => {
    if (!isIdle(page)) return false
    // A round trip to the page delivers the requests that it has started.
    await page.evaluate('0')
    return isIdle(page)
  }
  // As patient as the waits of the browser: the socket comes last.
  await eventually('the page is connected and idle', connectedAndIdle, 30_000)
}

/** Blocks the page's socket, so that the page does not refetch by itself. Call it before the page is opened. */
export const blockSocket = (page: Page): Promise<void> => page.routeWebSocket(/\/socket\.io\//, () => undefined)
