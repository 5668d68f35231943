import type { Page } from 'playwright-core'
import { logIn } from '@portal/system-tests/testing/api-client'
import { admin } from '@portal/system-tests/testing/portal-process'
import { desktop, type phone } from './browser.ts'
import { type Account, setUpJourneys, type RunningPortal } from './journeys.ts'

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
    /** A token for requests of another admin. */
    adminToken: async (): Promise<string> => {
      const { token } = await logIn(journeys.portal().address, admin.email, admin.password)
      return token
    },
  }
}

/** Whether the page fits without horizontal scrolling. */
export const fitsViewportWidth = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')
