import type { Locator, Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { desktop } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys, waitForFocus, waitForIdle } from './journeys.ts'
import { startLearnersPortal } from './portals.ts'

/** Scroll position and focus when pages change, also with the keyboard alone. */

const { portal, newContext, open, openAs, openAsAdmin, send } = setUpJourneys(() => startLearnersPortal(1))

const content = (page: Page) => page.locator('#content')
const waitForHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('the scroll position', () => {
  const row = (page: Page, n: number) => page.getByRole('link', { name: new RegExp(`Notice ${n}\\b`) }).first()
  // Page code is a string, because these files have no DOM types.
  const scrolled = (page: Page) => page.evaluate<number>('window.scrollY')
  const expectScroll = (page: Page, y: number) =>
    expect.poll(async () => Math.abs((await scrolled(page)) - y)).toBeLessThanOrEqual(2)
  /** The page stores the position at the scroll event, which comes with the next frame. */
  const scrollTo = async (page: Page, y: number) => {
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('scroll', () => resolve(), { once: true })
      window.scrollTo(0, ${y})
    })`)
    await expectScroll(page, y)
  }
  /** The window is so low that a page of ten rows scrolls. */
  const openScrolled = async (y: number) => {
    const page = await openAs(portal().learner(1), '/notification', { width: 390, height: 500 })
    await row(page, 12).waitFor()
    await scrollTo(page, y)
    return page
  }

  test('is restored by Back, a reload and Forward; another address starts at the top', async () => {
    await send([portal().learner(1)], ...Array.from({ length: 12 }, (_, n) => ({ title: `Notice ${n + 1}` })))
    const page = await openScrolled(300)
    await expect(page).toHaveTitle(/Notifications/)
    await row(page, 6).scrollIntoViewIfNeeded()
    const place = await scrolled(page)
    expect(place).toBeGreaterThan(100)
    await row(page, 6).click()
    await page.getByText('Text of Notice 6').waitFor()
    await expectScroll(page, 0)
    // The notification is so short that the scroll position is 0 before the focus moves.
    await waitForFocus(content(page))

    await page.goBack()
    await row(page, 12).waitFor()
    await expectScroll(page, place)
    await page.goForward()
    await page.getByText('Text of Notice 6').waitFor()
    await waitForHeading(page, 'Notification Details')
    await page.goBack()
    await row(page, 12).waitFor()
    await expectScroll(page, place)
    await page.reload()
    await row(page, 12).waitFor()
    await expectScroll(page, place)
    await page.goto('/home')
    await waitForHeading(page, /./)
    await page.waitForLoadState('networkidle')
    await expectScroll(page, 0)
  })
})

/** The accessible name of the focused element. Page code is a string, because these files have no DOM types. */
const focusedName = (page: Page) =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement
    const label = at.labels?.[0]?.textContent
    return (at.getAttribute('aria-label') ?? label ?? at.textContent).trim()
  })()`)

/** Presses Tab until the wanted element has the focus. Returns the names of all elements on the way. */
const tabTo = async (page: Page, wanted: string, key = 'Tab') => {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key)
    const name = await focusedName(page)
    passed.push(name)
    if (name === wanted) return passed
  }
  throw new Error(`Tab reached only ${passed.join(', ')}`)
}

describe('with the keyboard alone', () => {
  test('a login works by Tab in visual order, and by Enter', async () => {
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

  test.each([
    ['/notification', () => openAs(portal().learner(1), '/notification', desktop)],
    ['/home', () => openAs(portal().learner(1), '/home', desktop)],
    ['/admin/programs', () => openAsAdmin('/admin/programs')],
  ])('the skip link of %s is the first tab stop, is visible then, and leads to the content', async (path, openPage) => {
    const page = await openPage()
    await waitForHeading(page, /./)
    expect(await tabTo(page, 'Skip to content')).toHaveLength(1)
    const box = await page.getByRole('link', { name: 'Skip to content' }).boundingBox()
    expect(box && box.y >= 0 && box.x >= 0).toBe(true)
    await page.keyboard.press('Enter')
    await waitForFocus(content(page))
    await expect(page).toHaveURL(({ pathname }) => pathname === path)
    // The next tab stop is inside the content.
    await page.keyboard.press('Tab')
    await content(page).locator(':focus').waitFor()
  })

  test('a page change moves the focus to the content, forward and back', async () => {
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

  test('a dialog focuses Cancel first, traps the focus, and restores it', async () => {
    const page = await openAs(portal().learner(1), '/profile')
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
    const button = (name: string) => dialog.getByRole('button', { name })
    await waitForHeading(page, 'Profile')
    await waitForIdle(page)
    await tabTo(page, 'Logout')
    for (const leave of ['Escape', 'Enter']) {
      await page.keyboard.press('Enter')
      await waitForFocus(button('Cancel'))
      await page.keyboard.press('Tab')
      await waitForFocus(button('Logout'))
      await page.keyboard.press('Tab')
      await dialog.locator(':focus').waitFor()
      await waitForFocus(button('Cancel'))
      await page.keyboard.press(leave)
      await dialog.waitFor({ state: 'hidden' })
      await waitForFocus(page.getByRole('button', { name: 'Logout' }))
    }
    await page.keyboard.press('Enter')
    await tabTo(page, 'Logout')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/login')
    await waitForFocus(content(page))
  })
})

describe('[E8] Back closes what is open over the page, the topmost first', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  const gone = (element: Locator) => element.waitFor({ state: 'detached' })

  test(
    'a dialog; one that was closed otherwise is passed by, also after a reload',
    { tags: ['essential'] },
    async () => {
      const page = await openAs(portal().learner(1), '/home')
      await page.getByRole('link', { name: 'Profile', exact: true }).click()
      const ask = async () => {
        await page.getByRole('button', { name: 'Logout' }).click()
        await dialog(page).waitFor()
      }
      await ask()
      await page.goBack()
      await gone(dialog(page))
      await expect(page).toHaveURL('/profile')

      await ask()
      await page.keyboard.press('Escape')
      await gone(dialog(page))
      await ask()
      await page.reload()
      await waitForHeading(page, 'Profile')
      await page.goBack()
      await waitForHeading(page, /^Good /)
      await expect(page).toHaveURL('/home')
      await page.goForward()
      await waitForHeading(page, 'Profile')
      await ask()
      await page.goBack()
      await gone(dialog(page))
    },
  )

  test('a menu keeps what was chosen in it, and one menu closes after the other', async () => {
    const page = await openAsAdmin('/admin/dashboard')
    await page.getByRole('link', { name: 'Notifications', exact: true }).click()
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('listbox').waitFor()
    await page.goBack()
    await gone(page.getByRole('listbox'))
    await waitForHeading(page, 'Notifications')
    // Each choice closes its menu and changes the address.
    await page.getByRole('button', { name: 'Filter' }).click()
    for (const status of ['Some canceled', 'Withdrawn']) {
      await page.getByRole('combobox', { name: 'Status' }).click()
      await page.getByRole('option', { name: status }).click()
      await gone(page.getByRole('listbox'))
    }
    await page.goBack()
    await waitForHeading(page, 'Dashboard')

    await page.goto('/admin/dashboard')
    await page.getByRole('link', { name: 'Users' }).click()
    await waitForHeading(page, 'Users')
    await page.getByRole('group', { name: 'Filter' }).getByRole('button', { name: 'Role' }).click()
    await page.getByRole('dialog', { name: 'Role' }).getByRole('checkbox').first().check()
    await page.goBack()
    await gone(page.getByRole('dialog'))
    await expect(page.getByRole('button', { name: 'Role: 1' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/dashboard\/users\?/)
    await waitForFocus(page.getByRole('button', { name: 'Role: 1' }))
    // The entry of the menu, from before the choice.
    await page.goForward()
    await expect(page.getByRole('button', { name: 'Role: 1' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/dashboard\/users\?/)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Role: 1' })).toBeVisible()

    await page.getByRole('button', { name: 'Admin', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await dialog(page).waitFor()
    await page.goBack()
    await gone(dialog(page))
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await gone(page.getByRole('dialog'))
    await waitForHeading(page, 'Users')

    // A link in a menu leads to a page whose own menus close in the same way.
    const account = page.getByRole('button', { name: 'Admin', exact: true })
    await account.click()
    await page.getByRole('dialog').getByRole('link', { name: 'Profile' }).click()
    await waitForHeading(page, 'Profile')
    await account.click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await gone(page.getByRole('dialog'))
    await waitForHeading(page, 'Profile')
    await page.goBack()
    await waitForHeading(page, 'Users')
    await page.goBack()
    await waitForHeading(page, 'Dashboard')
  })
})
