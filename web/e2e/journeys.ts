import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logIn as logInRoute } from '@portal/contracts/auth/http'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { admin, eventually } from '@portal/system-tests/testing/portal-process'
import { isIdle, launchBrowser, openPage, phone, type Problem } from './browser.ts'

/** What a journey needs to know of the portal it runs against. */
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
 * A browser and a portal for the journeys of one file. A journey fails on anything that a page writes to its console as an
 * error, unless it says beforehand, with `expectProblem`, that it provokes one.
 */
export const setUpJourneys = <Portal extends RunningPortal>(startPortal: () => Promise<Portal>) => {
  let browser: Browser | undefined
  let portal: Portal | undefined
  const contexts: BrowserContext[] = []
  const problems: Problem[] = []
  const expected: RegExp[] = []

  const running = (): Portal => {
    if (!portal) throw new Error('The portal has not been started')
    return portal
  }

  beforeAll(async () => {
    portal = await startPortal()
    browser = await launchBrowser()
  })
  afterEach(async () => {
    // What a page has complained of until now has been told before it answers.
    const pages = contexts.flatMap((context) => context.pages())
    await Promise.all(pages.map((page) => page.evaluate('0').catch(() => undefined)))
    const expectedNow = expected.splice(0)
    const unexpected = problems.filter((problem) => !expectedNow.some((pattern) => pattern.test(problem.text)))
    for (const context of contexts.splice(0)) {
      // An answer that is under way when a journey ends is of no interest any more, and could not be given.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    // What pages complain of while they are taken down is no part of the journey: their calls reach nobody any more.
    problems.length = 0
    expect(unexpected.map(({ text, where }) => `${text} (${where})`).join('\n')).toBe('')
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.stop()
  })

  /**
   * A browser of its own: cookies and storage are shared by its tabs, and by nobody else. It has no workers, unless they are
   * what a journey is about: they would fetch the whole client once more for each browser.
   */
  const newContextWith = async (options: BrowserContextOptions): Promise<BrowserContext> => {
    if (!browser) throw new Error('The browser has not been started')
    const context = await browser.newContext({ baseURL: running().address, ...options })
    contexts.push(context)
    context.once('close', () => {
      const at = contexts.indexOf(context)
      if (at >= 0) contexts.splice(at, 1)
    })
    return context
  }

  const newContext = (viewport = phone, serviceWorkers: 'allow' | 'block' = 'block'): Promise<BrowserContext> =>
    newContextWith({ viewport, serviceWorkers })

  /** A browser of somebody who logged in before: the form is a journey of its own. */
  const signedInContext = async ({ email, password }: Account, viewport = phone): Promise<BrowserContext> => {
    const { address } = running()
    const { data } = await callRoute(address, logInRoute, { body: { personalEmail: email, password } })
    const stored = { user: JSON.stringify(data.user), token: data.token, isLoggedIn: 'true' }
    const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
    const storageState = { cookies: [], origins: [{ origin: address, localStorage }] }
    return newContextWith({ viewport, serviceWorkers: 'block', storageState })
  }

  const open = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await openPage(context, problems)
    await page.goto(path)
    return page
  }

  /** Logs in by the form; returns as soon as the portal says that it worked, before the page moves on. */
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
    const text = await readFile(join(running().dataDir, 'outbox.jsonl'), 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): OutboxLine => JSON.parse(line))
  }

  return {
    portal: running,
    newContext,
    signedInContext,
    /** A page that is watched for problems, at no address yet. */
    newPage: (context: BrowserContext): Promise<Page> => openPage(context, problems),
    open,
    signIn,
    signInAsAdmin,
    outbox,
    /** The newest message to this address or number that `isWanted`. */
    findSentMessage: (to: string, isWanted: (line: OutboxLine) => boolean = () => true): Promise<OutboxLine> =>
      eventually(`a message to ${to} is in the outbox`, async () =>
        (await outbox()).findLast((line) => line.to.includes(to) && isWanted(line)),
      ),
    /** What the browser itself complains about when a call fails on purpose: 'status of 500', 'net::ERR_FAILED'. */
    expectProblem: (pattern: RegExp): void => void expected.push(pattern),
  }
}
export type Journeys = ReturnType<typeof setUpJourneys>

/** The next answer to these calls is this refusal, as if the server had given it. Pages at the same address are let through. */
export const mockError = async (page: Page, path: RegExp, status: number, body: object): Promise<void> => {
  await page.route(
    (url) => path.test(url.pathname),
    (route) =>
      route.request().isNavigationRequest()
        ? route.fallback()
        : route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )
}

/** These calls do not get through, as without a network. */
export const abortRequests = async (page: Page, path: RegExp): Promise<void> => {
  await page.route(
    (url) => path.test(url.pathname),
    (route) => (route.request().isNavigationRequest() ? route.fallback() : route.abort('connectionfailed')),
  )
}

/** Holds the answers of these calls back until the returned function is called: a network that takes its time. */
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

/** From here on, time passes in the page only as far as the test lets it, by `page.clock`: exact, however busy the machine is. */
export const pauseClock = async (page: Page): Promise<void> => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

export const waitForFocus = (element: Locator): Promise<void> => element.and(element.page().locator(':focus')).waitFor()

/**
 * Before a session is ended: a page that is still asking, or whose connection comes only then, would ask under a session that
 * is over, and be refused.
 */
export const waitForIdle = async (page: Page): Promise<void> => {
  await eventually('the page is connected and asks for nothing', async () => {
    if (!isIdle(page)) return false
    // What it has begun by now has been told before it answers.
    await page.evaluate('0')
    return isIdle(page)
  })
}

/** The page's live connection does not come about, so that nothing is fetched anew by itself. Call it before the page is opened. */
export const blockSocket = (page: Page): Promise<void> => page.routeWebSocket(/\/socket\.io\//, () => undefined)
