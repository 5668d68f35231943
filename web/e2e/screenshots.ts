import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  listRecentNotifications,
  readNotification,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { callRoute, logIn, seededEmail, userIdsByEmail } from '../../services/system-tests/src/testing/api-client.ts'
import { connectInbox } from '../../services/system-tests/src/testing/inbox-client.ts'
import {
  admin,
  eventually,
  newDataFolder,
  repositoryRoot,
  seedLearners,
  startPortal,
} from '../../services/system-tests/src/testing/portal-process.ts'
import { desk, launchBrowser, phone } from './browser.ts'

/**
 * `make screenshots`: every screen of the running product, on a phone and on a desk, light and dark, into screenshots/; and
 * with `README=1` the picture that the README shows.
 */
const folder = join(repositoryRoot, 'screenshots')
const readmePicture = join(repositoryRoot, 'web/docs/portal.png')

const sends: readonly { title: string; message: string; type: NotificationType; to: number }[] = [
  {
    title: 'Campus immersion: choose your dates',
    message: 'Two to three days after semester 1. Hostel and food under ₹1,000 a day.',
    type: 'General',
    to: 40,
  },
  {
    title: 'Portal maintenance on Sunday, 2 to 4 AM',
    message: 'Class recordings and assignments will not be reachable for these two hours.',
    type: 'System Maintenance',
    to: 40,
  },
  {
    title: 'Mid-semester evaluation timetable',
    message: 'The first online evaluation is on Saturday at 10 AM. Keep your student ID at hand.',
    type: 'Exam',
    to: 24,
  },
  {
    title: 'Assignment 3: gradient descent by hand',
    message: 'Ten days from today. Submit one notebook; show each step of the update.',
    type: 'Assignment',
    to: 18,
  },
  {
    title: 'Graph algorithms: new course open',
    message: 'Twelve sessions on weekday evenings, 7 to 10 PM, from Monday.',
    type: 'New Course Announcement',
    to: 40,
  },
  {
    title: 'Second instalment is due on 5 December',
    message: 'The second of three instalments, ₹15,000, is due on 5 December.',
    type: 'Fee Payment Reminder',
    to: 32,
  },
]

const publicScreens = ['/login', '/register', '/reset-password']
const learnerScreens = ['/home', '/my-program', '/notification', '/profile']
const adminScreens = [
  '/admin/dashboard',
  '/admin/programs',
  '/admin/universities',
  '/admin/notifications',
  '/admin/profile',
]

type Scheme = 'light' | 'dark'
const viewports = { phone, desk }

const dataFolder = await newDataFolder()
const password = await seedLearners(dataFolder.path, 40)
const portal = await startPortal({ dataDir: dataFolder.path })
const browser = await launchBrowser()
try {
  await fillWithNotifications()
  await mkdir(folder, { recursive: true })
  for (const [name, viewport] of Object.entries(viewports))
    for (const scheme of ['light', 'dark'] as const) await photographAll(browser, name, viewport, scheme)
  if (process.env['README'] === '1') await photographForReadme(browser)
} finally {
  await browser.close()
  await portal.stop()
  await dataFolder.remove()
}

/** A portal in use: some learners look at it, some have a phone in the pocket, the others neither; some read. */
async function fillWithNotifications() {
  const { token } = await logIn(portal.address, admin.email, admin.password)
  const userIds = await userIdsByEmail(portal.address, token)
  const tokenOf = async (n: number) => (await logIn(portal.address, seededEmail(n), password)).token
  const looking = []
  for (let n = 3; n <= 14; n++) {
    const learnerToken = await tokenOf(n)
    looking.push({ token: learnerToken, inbox: await connectInbox({ address: portal.address, token: learnerToken }) })
  }
  for (let n = 15; n <= 30; n++) {
    const body = { token: `device-of-learner-${n}` }
    await callRoute(portal.address, savePushToken, { token: await tokenOf(n), body })
  }
  for (const [index, { to, ...text }] of sends.entries()) {
    const recipients = Array.from({ length: to }, (_, n) => userIds.get(seededEmail(n + 1)))
    const { notificationId } = await callRoute(portal.address, sendNotification, {
      token,
      body: { ...text, userIds: recipients },
    })
    for (const reader of looking.slice(index))
      await callRoute(portal.address, readNotification, { token: reader.token, params: { id: notificationId } })
  }
  await eventually('all sends have been settled', async () => {
    const { notifications } = await callRoute(portal.address, listRecentNotifications, { token })
    return notifications.every((sent) => !('progress' in sent) || sent.progress.pending === 0)
  })
  for (const { inbox } of looking) inbox.close()
}

async function newContext(from: Browser, viewport: { width: number; height: number }, scheme: Scheme) {
  const isPhone = viewport.width === phone.width
  return from.newContext({
    viewport,
    colorScheme: scheme,
    baseURL: portal.address,
    deviceScaleFactor: 2,
    isMobile: isPhone,
    hasTouch: isPhone,
  })
}

async function signIn(context: BrowserContext, email: string, secret: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  return page
}

async function photograph(page: Page, path: string, suffix: string) {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${path.slice(1).replaceAll('/', '-')}-${suffix}.png`) })
}

async function photographAll(from: Browser, size: string, viewport: typeof phone, scheme: Scheme) {
  const suffix = `${size}-${scheme}`
  const anonymous = await newContext(from, viewport, scheme)
  const page = await anonymous.newPage()
  for (const path of publicScreens) await photograph(page, path, suffix)
  const learner = await newContext(from, viewport, scheme)
  const learnerPage = await signIn(learner, seededEmail(1), password)
  for (const path of learnerScreens) await photograph(learnerPage, path, suffix)
  const desktop = await newContext(from, viewport, scheme)
  const adminPage = await signIn(desktop, admin.email, admin.password)
  for (const path of adminScreens) await photograph(adminPage, path, suffix)
  for (const context of [anonymous, learner, desktop]) await context.close()
}

/** The send console and a learner's phone at the same moment, side by side. */
async function photographForReadme(from: Browser) {
  const learnerPage = await signIn(await newContext(from, phone, 'light'), seededEmail(2), password)
  await learnerPage.goto('/notification')
  await learnerPage.waitForLoadState('networkidle')
  const adminPage = await signIn(await newContext(from, desk, 'light'), admin.email, admin.password)
  await adminPage.goto('/admin/notifications')
  await adminPage.waitForLoadState('networkidle')
  const shots = await Promise.all([adminPage, learnerPage].map((page) => page.screenshot()))
  const [sendConsole, list] = shots.map((shot) => `data:image/png;base64,${shot.toString('base64')}`)
  const frame = await from.newPage({ viewport: { width: 1280, height: 640 }, deviceScaleFactor: 1.5 })
  await frame.setContent(`<body style="margin:0;height:640px;display:flex;gap:32px;align-items:center;justify-content:center;background:#E7E8E3">
    <img src="${sendConsole}" style="height:540px;border-radius:10px;box-shadow:0 10px 32px rgba(20,24,31,.18)">
    <img src="${list}" style="height:580px;border-radius:22px;box-shadow:0 10px 32px rgba(20,24,31,.22)"></body>`)
  await mkdir(join(readmePicture, '..'), { recursive: true })
  await writeFile(readmePicture, await frame.screenshot())
  const { length } = await readFile(readmePicture)
  process.stdout.write(`${readmePicture}: ${Math.round(length / 1024)} KiB\n`)
}
