import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { repositoryRoot } from '@portal/system-tests/testing/portal-process'
import { launchBrowser } from './browser.ts'
import type { Account } from './journeys.ts'
import { startSamplePortal } from './portals.ts'
import { recordPage, requireFfmpeg, writeGif, type Place } from './screencast.ts'
import { openScreen, signInAs } from './screens.ts'

/** `make recording` records for the README how an admin sends a notification and a learner's phone receives it. */
const target = join(repositoryRoot, 'web/docs/portal.gif')
const maxBytes = 1_500_000

/** px. */
const picture = { width: 1270, height: 650 }
const desk = { viewport: { width: 1280, height: 860 }, place: { x: 24, y: 24, width: 896, height: 602 }, radius: 10 }
const phone = { viewport: { width: 390, height: 780 }, place: { x: 945, y: 24, width: 301, height: 602 }, radius: 24 }

const openSignedIn = async (browser: Browser, viewport: typeof desk.viewport, account: Account, path: string) => {
  const context = await browser.newContext({ viewport, baseURL: portal.address, colorScheme: 'light' })
  const page = await context.newPage()
  await signInAs(page, account)
  await openScreen(page, { name: path, path })
  return page
}

/** Shows the pointer, which a recording of a page lacks. */
const showPointer = (page: Page) =>
  page.evaluate(`{
    const dot = document.createElement('div')
    Object.assign(dot.style, {
      position: 'fixed', zIndex: 9999, left: '-40px', width: '26px', height: '26px', margin: '-13px', borderRadius: '50%',
      background: 'rgba(191, 54, 12, .35)', boxShadow: '0 0 0 2px rgba(191, 54, 12, .8)', pointerEvents: 'none',
    })
    document.documentElement.append(dot)
    addEventListener('mousemove', ({ clientX, clientY }) => {
      dot.style.left = clientX + 'px'
      dot.style.top = clientY + 'px'
    }, true)
  }`)

/** Moves the pointer there in steps, so that the eye can follow, and clicks. */
const pointAndClick = async (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button') => {
  const element = page.getByRole(role, { name, exact: typeof name === 'string', disabled: false }).last()
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (!box) throw new Error(`${name} is not shown`)
  await page.mouse.move(box.x + Math.min(box.width / 2, 240), box.y + box.height / 2, { steps: 6 })
  await pause(150)
  await page.mouse.click(box.x + Math.min(box.width / 2, 240), box.y + box.height / 2)
}

const title = 'Exam hall changed'

const fillForm = async (admin: Page, email: string) => {
  await admin.getByRole('textbox', { name: 'Message' }).fill('The AI exam is in Hall 4, at 10 AM.')
  await admin.getByRole('combobox', { name: /^Type/ }).click()
  await admin.getByRole('option', { name: 'Exam' }).click()
  await admin.getByRole('searchbox', { name: 'Search users' }).fill(email)
  await admin.getByRole('checkbox', { name: new RegExp(email) }).check()
  await admin.evaluate('scrollTo(0, 0)')
  await showPointer(admin)
}

/** What is recorded: about eight seconds. */
const sendAndRead = async (admin: Page, learner: Page) => {
  await pause(400)
  await admin.getByRole('textbox', { name: 'Title' }).pressSequentially(title, { delay: 30 })
  await pointAndClick(admin, /^Send to/)
  await pause(500)
  await pointAndClick(admin, 'Send')
  await pause(300)
  await pointAndClick(admin, 'Send now')
  await learner.getByText(title).first().waitFor()
  await pause(1500)
  await pointAndClick(learner, new RegExp(title), 'link')
  await pause(1500)
}

/** A sheet with a rounded hole at each place, and a line around it. */
const drawFrame = async (browser: Browser): Promise<Buffer> => {
  const page = await browser.newPage({ viewport: picture })
  const hole = ({ x, y, width, height }: Place, radius: number, rest: string) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" ${rest}/>`
  const holes = (rest: string) => hole(desk.place, desk.radius, rest) + hole(phone.place, phone.radius, rest)
  await page.setContent(`<body style="margin:0"><svg width="${picture.width}" height="${picture.height}" style="display:block">
    <mask id="holes"><rect width="100%" height="100%" fill="#fff"/>${holes('fill="#000"')}</mask>
    <rect width="100%" height="100%" fill="#E7E8E3" mask="url(#holes)"/>${holes('fill="none" stroke="#C9CBC3"')}</svg>`)
  const frame = await page.screenshot({ omitBackground: true })
  await page.close()
  return frame
}

const ffmpeg = await requireFfmpeg().catch((error: unknown) => error)
if (ffmpeg instanceof Error) {
  process.stderr.write(`${ffmpeg.message}\n`)
  process.exit(1)
}
const portal = await startSamplePortal(40)
const browser = await launchBrowser('whole')
try {
  const account = portal.learner(2)
  const learner = await openSignedIn(browser, phone.viewport, account, '/notification')
  const admin = await openSignedIn(browser, desk.viewport, portal.admin, '/admin/notifications')
  await fillForm(admin, account.email)
  await showPointer(learner)
  const stop = [await recordPage(admin), await recordPage(learner)] as const
  await sendAndRead(admin, learner)
  const [onDesk, onPhone] = [await stop[0](), await stop[1]()]
  await writeGif(target, await drawFrame(browser), [
    { screencast: onDesk, place: desk.place },
    { screencast: onPhone, place: phone.place },
  ])
  const { size } = await stat(target)
  process.stdout.write(`${target}: ${Math.round(size / 1024)} KiB\n`)
  if (size > maxBytes)
    throw new Error(`The recording is larger than ${maxBytes} bytes: record less, or with fewer colors`)
} finally {
  await browser.close()
  await portal.stop()
}
