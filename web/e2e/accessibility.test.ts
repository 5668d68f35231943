import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededEmail } from '../../services/system-tests/src/testing/api-client.ts'
import {
  admin,
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from '../../services/system-tests/src/testing/portal-process.ts'
import { desk, launchBrowser, phone } from './browser.ts'

/** axe finds nothing on any screen, on a phone and on a desk, in both colour schemes. */
let browser: Browser
let portal: PortalProcess
let dataFolder: Awaited<ReturnType<typeof newDataFolder>>
let password: string

beforeAll(async () => {
  dataFolder = await newDataFolder()
  password = await seedLearners(dataFolder.path, 3)
  portal = await startPortal({ dataDir: dataFolder.path })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await portal?.stop()
  await dataFolder?.remove()
})

const screens = {
  nobody: ['/login', '/register', '/reset-password'],
  learner: ['/home', '/my-program', '/notification', '/profile'],
  admin: ['/admin/dashboard', '/admin/programs', '/admin/universities', '/admin/notifications', '/admin/profile'],
} as const

const signIn = async (page: Page, who: keyof typeof screens) => {
  if (who === 'nobody') return
  const [email, secret] = who === 'admin' ? [admin.email, admin.password] : [seededEmail(1), password]
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

const findingsOn = async (context: BrowserContext, who: keyof typeof screens) => {
  const page = await context.newPage()
  await signIn(page, who)
  const findings: string[] = []
  for (const path of screens[who]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, nodes } of violations) findings.push(`${path}: ${id} ${nodes[0]?.html ?? ''}`)
  }
  return findings
}

describe.each([
  ['phone', phone],
  ['desk', desk],
] as const)('on a %s', (_size, viewport) => {
  test.each(['light', 'dark'] as const)('in the %s scheme', async (colorScheme) => {
    for (const who of ['nobody', 'learner', 'admin'] as const) {
      const context = await browser.newContext({ viewport, colorScheme, baseURL: portal.address })
      expect(await findingsOn(context, who)).toEqual([])
      await context.close()
    }
  })
})
