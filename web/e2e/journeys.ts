import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logIn as logInRoute } from '@portal/contracts/auth/http'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { admin, eventually } from '@portal/system-tests/testing/portal-process'
import { isIdle, launchBrowser, openPage, phone, type BrowserKind, type ConsoleError } from './browser.ts'
import { expect } from './expect.ts'
import { keepFailure, startTrace } from './failure-artifacts.ts'

/** The portal that a journey runs against. */
export type RunningPortal = {
  readonly address: string
  readonly dataDir: string
  stop(): Promise<unknown>
}

export type Account = { readonly email: string; readonly password: string }

type OutboxLine = {
  readonly channel: string
  readonly to: string
  readonly code?: string
  readonly text?: string
  readonly link?: string
}

/**
 * Starts a browser and a portal for the journeys of one file. A journey fails on any error in a page's console, unless it has
 * announced it with `expectConsoleErrors`.
 */
export const setUpJourneys = <Portal extends RunningPortal>(
  startPortal: () => Promise<Portal>,
  browserKind: BrowserKind = 'shell',
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
    browser = await launchBrowser(browserKind)
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
    context.once('close', () => {
      const at = contexts.indexOf(context)
      if (at >= 0) contexts.splice(at, 1)
    })
    return context
  }

  const newContext = (viewport = phone, serviceWorkers: 'allow' | 'block' = 'block'): Promise<BrowserContext> =>
    newContextWith({ viewport, serviceWorkers })

  /** A signed-in context. The login form has its own journeys. */
  const signedInContext = async ({ email, password }: Account, viewport = phone): Promise<BrowserContext> => {
    const { address } = startedPortal()
    const { data } = await callRoute(address, logInRoute, { body: { personalEmail: email, password } })
    const stored = { user: JSON.stringify(data.user), token: data.token, isLoggedIn: 'true' }
    const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
    const storageState = { cookies: [], origins: [{ origin: address, localStorage }] }
    return newContextWith({ viewport, serviceWorkers: 'block', storageState })
  }

  const open = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await openPage(context, consoleErrors)
    await page.goto(path)
    return page
  }

  /** Logs in by the form. Returns at the success message, before the page redirects. */
  const signIn = async (context: BrowserContext, email: string, password: string): Promise<Page> => {
    const page = await open(context, '/login')
    await page.getByLabel('Email', { exact: false }).first().fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByText('Login successful! Redirecting...').waitFor()
    return page
  }

  const signInAsAdmin = async (context: BrowserContext): Promise<Page> => {
    const page = await signIn(context, admin.email, admin.password)
    await page.waitForURL('**/admin/dashboard')
    return page
  }

  const outbox = async (): Promise<readonly OutboxLine[]> => {
    const text = await readFile(join(startedPortal().dataDir, 'outbox.jsonl'), 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): OutboxLine => JSON.parse(line))
  }

  return {
    portal: startedPortal,
    newContext,
    signedInContext,
    /** A page without an address whose errors are recorded. */
    newPage: (context: BrowserContext): Promise<Page> => openPage(context, consoleErrors),
    open,
    signIn,
    signInAsAdmin,
    outbox,
    /** The newest message to this address or number that matches `isWanted`. */
    findSentMessage: (to: string, isWanted: (line: OutboxLine) => boolean = () => true): Promise<OutboxLine> =>
      eventually(`the outbox has a message to ${to}`, async () =>
        (await outbox()).findLast((line) => line.to.includes(to) && isWanted(line)),
      ),
    /** Allows console errors that a journey causes on purpose, such as 'status of 500' or 'net::ERR_FAILED'. */
    expectConsoleErrors: (pattern: RegExp): void => void allowedErrors.push(pattern),
  }
}
export type Journeys = ReturnType<typeof setUpJourneys>

/** Mocks an error response for these API routes. Page navigations to the same address pass. */
export const mockError = async (page: Page, path: RegExp, status: number, body: object): Promise<void> => {
  await page.route(
    (url) => path.test(url.pathname),
    (route) =>
      route.request().isNavigationRequest()
        ? route.fallback()
        : route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )
}

/** Aborts requests to these API routes, as without a network. */
export const abortRequests = async (page: Page, path: RegExp): Promise<void> => {
  await page.route(
    (url) => path.test(url.pathname),
    (route) => (route.request().isNavigationRequest() ? route.fallback() : route.abort('connectionfailed')),
  )
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

/** Pauses the page's clock. The test advances it with `page.clock`, so timing is exact even on a busy machine. */
export const pauseClock = async (page: Page): Promise<void> => {
  // The application starts after the first paint, and would not start on a paused clock.
  await page.locator('#shell').waitFor({ state: 'detached' })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

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
