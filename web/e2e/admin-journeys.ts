import type { Page } from 'playwright-core'
import { logIn } from '@portal/system-tests/testing/api-client'
import { admin } from '@portal/system-tests/testing/portal-process'
import { desktop, type phone } from './browser.ts'
import { type Account, setUpJourneys, blockSocket, type RunningPortal } from './journeys.ts'

/** Journeys that start signed in. The login form has its own journeys. */
export const setUpAdminJourneys = <Portal extends RunningPortal>(start: () => Promise<Portal>) => {
  const journeys = setUpJourneys(start)

  /** A signed-in page without an address. */
  const newSignedInPage = async (account: Account, viewport: typeof phone = desktop): Promise<Page> =>
    journeys.newPage(await journeys.signedInContext(account, viewport))

  const openAs = async (account: Account, path: string, viewport?: typeof phone): Promise<Page> => {
    const page = await newSignedInPage(account, viewport)
    await page.goto(path)
    return page
  }

  return {
    ...journeys,
    newSignedInPage,
    openAs,
    openAsAdmin: (path: string, viewport?: typeof phone) => openAs(admin, path, viewport),
    /** As an admin, without a socket, so that pages do not refetch by themselves. */
    openWithoutSocket: async (path: string): Promise<Page> => {
      const page = await newSignedInPage(admin)
      await blockSocket(page)
      await page.goto(path)
      return page
    },
    /** A token for requests of another admin. */
    adminToken: async (): Promise<string> => {
      const { token } = await logIn(journeys.portal().address, admin.email, admin.password)
      return token
    },
  }
}

/** Mocks an error for one method, so that the page can still load data. `page.unrouteAll()` removes it. */
export const mockMethodError = async (page: Page, method: string, path: RegExp, status: number, message: string) => {
  const code = status === 500 ? 'internal' : status === 404 ? 'not-found' : 'conflict'
  await page.route(
    (url) => path.test(url.pathname),
    (route) =>
      route.request().method() === method
        ? route.fulfill({ status, json: { success: false, code, message } })
        : route.fallback(),
  )
}

/** Whether the page fits without horizontal scrolling. */
export const fitsViewportWidth = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')
