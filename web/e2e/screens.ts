import type { Page } from 'playwright-core'
import type { Account } from './journeys.ts'
import type { SamplePortal } from './portals.ts'
import {
  deletedPrograms,
  formStates,
  invitationStates,
  learnersStates,
  learnerStates,
  openSeatPage,
  type Screen,
} from './screen-states.ts'

export type Visit = { readonly as: Account | null; readonly screens: readonly Screen[] }

/** The landing page loads the sections below the first screen after it has painted. */
const waitForLowerSections = async (page: Page) => {
  await page.getByRole('searchbox', { name: 'Search the questions' }).waitFor()
}
const openDialog = (page: Page) => page.getByRole('button', { name: 'Logout' }).click()
const openMenu = (page: Page) => page.getByRole('combobox', { name: /^Type/ }).click()
const openDrafts = async (page: Page) => {
  await page.getByRole('button', { name: 'Drafts', exact: true }).click()
  await page.getByRole('dialog', { name: 'Drafts' }).waitFor()
}
const openTemplates = async (page: Page) => {
  await page.getByRole('button', { name: 'Use a template' }).click()
  await page.getByRole('dialog', { name: 'Templates' }).waitFor()
}
const openFilter = (page: Page) => page.getByRole('button', { name: 'Filter', exact: true }).click()
const openRecall = (page: Page) => page.getByRole('button', { name: 'Recall', exact: true }).click()
const askToSend = async (page: Page) => {
  await page.getByRole('textbox', { name: 'Title' }).fill('The hall is closed on Friday, come to room 12')
  await page.getByRole('textbox', { name: 'Message' }).fill('Please bring your student ID.')
  const everyone = page.getByRole('button', { name: 'Everyone', exact: true })
  // It is chosen already in the draft of an earlier visit.
  if ((await everyone.getAttribute('aria-pressed')) !== 'true') await everyone.click()
  await page.getByRole('button', { name: /^Send to/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
}
const openShortcuts = async (page: Page) => {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}
const submit = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

/** Every screen of the product with its visually different states, grouped by user. */
export const screenVisits = (portal: SamplePortal): readonly Visit[] => [
  {
    as: null,
    screens: [
      { name: 'login', path: '/login' },
      { name: 'login-errors', path: '/login', interact: submit('Login') },
      { name: 'register', path: '/register' },
      { name: 'register-errors', path: '/register', interact: submit('Save') },
      { name: 'reset-password', path: '/reset-password' },
      { name: 'set-password', path: '/reset-password?token=of-a-link' },
      { name: 'unsubscribe', path: '/notifications/unsubscribe?token=of-a-link' },
      {
        name: 'unsubscribe-failed',
        path: '/notifications/unsubscribe?token=of-a-link',
        interact: submit('Stop emails'),
      },
      { name: 'landing', path: '/home', interact: waitForLowerSections },
      { name: 'terms', path: '/terms' },
      { name: 'privacy', path: '/privacy' },
      ...formStates,
    ],
  },
  {
    as: portal.learner(1),
    screens: [
      { name: 'home', path: '/home' },
      { name: 'home-about', path: '/home#about-minor', interact: waitForLowerSections },
      { name: 'my-program', path: '/my-program' },
      { name: 'program-active', path: `/program-details-active/${portal.enrolledProgram}` },
      { name: 'program-inactive', path: `/program-details-inactives/${portal.otherProgram}` },
      // Must precede book-seat, because reopening an address keeps its router state.
      { name: 'payment', path: '/payment' },
      { name: 'book-seat', path: `/program-details-inactives/${portal.otherProgram}`, interact: openSeatPage },
      { name: 'notifications', path: '/notification' },
      { name: 'notification', path: `/notification/${portal.notification}` },
      { name: 'profile', path: '/profile' },
      { name: 'log-out', path: '/profile', interact: openDialog },
      { name: 'notification-settings', path: '/profile/notifications' },
      { name: 'sessions', path: '/profile/sessions' },
      { name: 'security', path: '/profile/security' },
      { name: 'edit-profile', path: '/edit-profile' },
      ...learnerStates(portal.otherProgram),
    ],
  },
  { as: portal.faculty, screens: [{ name: 'faculty', path: '/faculty/dashboard' }] },
  {
    as: portal.admin,
    screens: [
      { name: 'admin-dashboard', path: '/admin/dashboard' },
      { name: 'admin-programs', path: '/admin/programs' },
      deletedPrograms,
      { name: 'admin-program-new', path: '/admin/programs/new' },
      { name: 'admin-program-edit', path: `/admin/programs/edit/${portal.otherProgram}` },
      { name: 'admin-program-copy', path: `/admin/programs/new?copy=${portal.otherProgram}` },
      { name: 'admin-program-preview', path: `/admin/programs/${portal.otherProgram}/preview` },
      { name: 'admin-learners', path: `/admin/programs/${portal.enrolledProgram}/learners` },
      ...learnersStates(portal.enrolledProgram),
      { name: 'admin-universities', path: '/admin/universities' },
      { name: 'admin-shortcuts', path: '/admin/universities', interact: openShortcuts },
      { name: 'admin-notifications', path: '/admin/notifications' },
      { name: 'admin-notifications-type', path: '/admin/notifications', interact: openMenu },
      { name: 'admin-notifications-drafts', path: '/admin/notifications', interact: openDrafts },
      { name: 'admin-notifications-templates', path: '/admin/notifications', interact: openTemplates },
      { name: 'admin-notifications-filter', path: '/admin/notifications', interact: openFilter },
      { name: 'admin-notifications-later', path: '/admin/notifications', interact: submit('Send later') },
      { name: 'admin-notifications-scheduled', path: '/admin/notifications?view=scheduled' },
      { name: 'admin-notifications-confirm', path: '/admin/notifications', interact: askToSend },
      { name: 'admin-notification', path: `/admin/notifications/${portal.notification}` },
      { name: 'admin-notification-recall', path: `/admin/notifications/${portal.notification}`, interact: openRecall },
      { name: 'admin-users', path: '/admin/dashboard/users?role=student' },
      ...invitationStates,
      { name: 'admin-audit', path: '/admin/dashboard/audit' },
      { name: 'admin-person', path: `/admin/people/${portal.userId}` },
      { name: 'admin-profile', path: '/admin/profile' },
      { name: 'admin-notification-settings', path: '/admin/profile/notifications' },
      { name: 'admin-sessions', path: '/admin/profile/sessions' },
      { name: 'admin-api-keys', path: '/admin/profile/api-keys' },
      { name: 'admin-security', path: '/admin/profile/security' },
    ],
  },
]

/** Logs in by the form of the open login page. */
export const fillLogin = async (page: Page, { email, password }: Account): Promise<void> => {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/** Logs in by the form. Without an account, does nothing. */
export const signInAs = async (page: Page, account: Account | null): Promise<void> => {
  if (account === null) return
  await page.goto('/login')
  await fillLogin(page, account)
}

/** Opens a screen and waits until it is completely loaded. */
export const openScreen = async (page: Page, { path, prepare, interact }: Screen): Promise<void> => {
  await page.unrouteAll()
  await prepare?.(page)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  if (!interact) return
  await interact(page)
  await page.waitForLoadState('networkidle')
}

/** Renders the parts of the page that the browser skips because they are far from the viewport. */
export const forceLayout = async (page: Page): Promise<void> => {
  await page.evaluate(
    `for (const element of document.querySelectorAll('main *')) element.style.contentVisibility = 'visible'`,
  )
  await page.waitForLoadState('networkidle')
}
