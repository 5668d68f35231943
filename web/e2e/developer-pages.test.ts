import { AxeBuilder } from '@axe-core/playwright'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, newDataFolder, startPortal } from '@portal/system-tests/testing/portal-process'
import { test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'

/** A portal whose outbox is shown in the browser, at the address that it prints. */
const startWithOutbox = async () => {
  const dataFolder = await newDataFolder()
  const portal = await startPortal({ dataDir: dataFolder.path, settings: { DEV_OUTBOX: '1', NODE_ENV: 'development' } })
  const outboxUrl = await eventually(
    'the portal prints the address of the outbox',
    () => /http:\S+\/dev\/outbox\/\S+/.exec(portal.output())?.[0],
  )
  return {
    address: portal.address,
    dataDir: dataFolder.path,
    outboxUrl,
    stop: async () => {
      await portal.stop()
      await dataFolder.remove()
    },
  }
}

const journeys = setUpJourneys(startWithOutbox)

const messageTo = (to: string, code: string) =>
  `${JSON.stringify({ at: new Date().toISOString(), channel: 'email', to, text: `Your code is ${code}.`, code })}\n`

test('the outbox shows a new code by itself, copies it, and filters by address', async () => {
  const { dataDir, outboxUrl } = journeys.portal()
  const context = await journeys.newContext()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await journeys.open(context, outboxUrl)
  await page.getByText('Nothing has been sent yet.').waitFor()

  await appendFile(join(dataDir, 'outbox.jsonl'), messageTo('asha@example.com', '482913'))
  await page.getByText('482913', { exact: true }).waitFor()
  await page.getByText(/^(just now|\d+ s ago)$/).waitFor()
  // It says so for two seconds.
  const copied = page.getByText('Copied', { exact: true }).waitFor()
  await Promise.all([copied, page.getByRole('button', { name: 'Copy code' }).click()])
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('482913')

  await appendFile(join(dataDir, 'outbox.jsonl'), messageTo('ravi@example.com', '157604'))
  await page.getByText('157604', { exact: true }).waitFor()
  await page.getByLabel('Filter by address').fill('ASHA')
  await page.getByText('1 of 2 messages').waitFor()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await page.getByText('1 of 2 messages').waitFor()
})

test('/docs has the name of the portal, says how to start, and shows an example and the errors of a call', async () => {
  const page = await journeys.open(await journeys.newContext(), '/docs/')
  await page.getByRole('heading', { name: 'Start here' }).waitFor()
  await expect(page).toHaveTitle('Minor Programs API')
  await page.getByText('/auth/login', { exact: true }).click()
  await page.getByText('"Monsoon-Lamp-47"').first().waitFor()
  await page.getByText('Limit exceeded.', { exact: false }).first().waitFor()
  await expect(page.getByText('Default Response')).toHaveCount(0)
})

test.each([
  ['light', desktop],
  ['dark', desktop],
  ['light', phone],
] as const)('/docs has no violations of accessibility that the portal can mend: %s, %o', async (colorScheme, size) => {
  const page = await journeys.open(await journeys.newContext(size), '/docs/')
  await page.emulateMedia({ colorScheme })
  await page.reload()
  await page.getByRole('heading', { name: 'Start here' }).waitFor()
  await page.getByText('/auth/login', { exact: true }).click()
  await page.getByText('/user/profile', { exact: true }).first().click()
  await page.getByText('Limit exceeded.', { exact: false }).first().waitFor()
  // Of the second call too.
  await page.getByText('Not logged in', { exact: true }).nth(1).waitFor()
  const home = page.getByRole('link', { name: 'Minor Programs', exact: true })
  await home.getByRole('img', { name: 'Minor Programs', exact: true }).waitFor()
  await expect(home).toHaveAttribute('href', '/')

  // Swagger UI places the button that copies a path inside the button that opens the call.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).disableRules(['nested-interactive'])
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
})
