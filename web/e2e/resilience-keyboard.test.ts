import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { desktop } from './browser.ts'
import { expect } from './expect.ts'
import { type Account, waitForFocus, setUpJourneys, waitForIdle } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/** Journeys with only the keyboard. */
const { portal, newContext, signedInContext, open } = setUpJourneys(() => startSamplePortal(2))

/**
 * The accessible name of the focused element. Page code is a string, because these files have no DOM types.
 */
const focusedName = (page: Page) =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement
    const label = at.labels?.[0]?.textContent
    return (at.getAttribute('aria-label') ?? label ?? at.textContent).trim()
  })()`)

/** Presses Tab until the wanted element has the focus. Returns the names of all elements on the way. */
const tabTo = async (page: Page, wanted: string | ((name: string) => boolean), key = 'Tab') => {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key)
    const name = await focusedName(page)
    passed.push(name)
    if (typeof wanted === 'string' ? name === wanted : wanted(name)) return passed
  }
  throw new Error(`Tab reached only ${passed.join(', ')}`)
}

const openSignedInAt = async (account: Account, path: string, viewport?: typeof desktop) => {
  const page = await open(await signedInContext(account, viewport), path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return page
}
const content = (page: Page) => page.locator('#content')
const waitForHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('logging in', () => {
  test('works by Tab in visual order, and by Enter', async () => {
    const page = await open(await newContext(), '/login')
    await waitForHeading(page, 'Welcome back')
    const { email, password } = portal().learner(1)
    expect(await tabTo(page, 'Email')).toHaveLength(2) // The product name is a link before it.
    await page.keyboard.type(email)
    expect(await tabTo(page, 'Password')).toHaveLength(1)
    await page.keyboard.type(password)
    expect(await tabTo(page, 'Sign Up')).toEqual([
      'Show password',
      'Forgot Password?',
      'Login',
      'See the programs',
      'Sign Up',
    ])
    await tabTo(page, 'Password', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/home')
    await waitForHeading(page, /^Good /)
    await waitForFocus(content(page))
  })
})

describe('the skip link', () => {
  test.each([
    ['a learner’s page', '/notification', 'learner'],
    ['the landing page', '/home', 'learner'],
    ['an admin’s page', '/admin/programs', 'admin'],
  ] as const)(
    'of %s is the first tab stop, is visible then, and moves the focus to the content',
    async (_page, path, role) => {
      const account = role === 'admin' ? portal().admin : portal().learner(1)
      const page = await openSignedInAt(account, path, desktop)
      const link = page.getByRole('link', { name: 'Skip to content' })
      expect(await tabTo(page, 'Skip to content')).toHaveLength(1)
      await waitForFocus(link)
      const box = await link.boundingBox()
      expect(box && box.y >= 0 && box.x >= 0).toBe(true)
      await page.keyboard.press('Enter')
      await waitForFocus(content(page))
      await expect(page).toHaveURL(path)
      // The next tab stop is inside the content.
      await page.keyboard.press('Tab')
      await content(page).locator(':focus').waitFor()
    },
  )
})

describe('a page change', () => {
  test('moves the focus to the content, forward and back', async () => {
    const page = await open(await newContext(), '/home')
    await waitForHeading(page, /./)
    for (const [link, title] of [
      ['Login', 'Welcome back'],
      ['Sign Up', 'Create Account'],
    ] as const) {
      await tabTo(page, link)
      await page.keyboard.press('Enter')
      await waitForHeading(page, title)
      await waitForFocus(content(page))
    }
    await page.goBack()
    await waitForHeading(page, 'Welcome back')
    await waitForFocus(content(page))
    // Tab continues from the content.
    expect(await tabTo(page, 'Email')).toHaveLength(2)
  })

  test('works from the list to a notification and back by Tab and Enter', async () => {
    const page = await openSignedInAt(portal().learner(1), '/home')
    await tabTo(page, (name) => name.endsWith('Notification'))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/notification')
    await waitForHeading(page, 'Notifications')
    await waitForFocus(content(page))
    const row = page.locator('a[href^="/notification/"]').first()
    await row.waitFor()
    const title = ((await row.locator('.title').textContent()) ?? '').replace('Unread: ', '')
    await tabTo(page, (name) => name.includes(title))
    await waitForFocus(row)
    await page.keyboard.press('Enter')
    await waitForHeading(page, 'Notification Details')
    await page.getByText(title).first().waitFor()
    await waitForFocus(content(page))
    expect(await tabTo(page, 'Back to notifications')).toHaveLength(1)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/notification')
    await waitForFocus(content(page))
  })
})

describe('the logout dialog', () => {
  test('focuses Cancel first, traps the focus, and restores it', async () => {
    const page = await openSignedInAt(portal().learner(2), '/profile')
    const logOut = page.getByRole('button', { name: 'Logout' })
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
    await tabTo(page, 'Logout')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await waitForFocus(dialog.getByRole('button', { name: 'Cancel' }))
    await page.keyboard.press('Tab')
    await waitForFocus(dialog.getByRole('button', { name: 'Logout' }))
    await page.keyboard.press('Tab')
    await dialog.locator(':focus').waitFor()

    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await waitForFocus(logOut)
    await page.keyboard.press('Enter')
    await waitForFocus(dialog.getByRole('button', { name: 'Cancel' }))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await waitForFocus(logOut)

    await waitForIdle(page)
    await page.keyboard.press('Enter')
    await tabTo(page, 'Logout')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/login')
    await waitForFocus(content(page))
  })
})
