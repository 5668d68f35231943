import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { categoryOf } from '@portal/platform/event-store/stream-name'
import { loadConfig } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { expect, it, onTestFinished, vi } from 'vitest'
import { seedDataFolder } from './seed-data-folder.ts'
import { seededLines } from './seeded-lines.ts'

/** Everything is real, disks included: on a busy machine it can take seconds. */
vi.setConfig({ testTimeout: 30_000 })

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const fill = (folder: string, learners: number) => {
  const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: folder, ADMIN_PASSWORD: 'Steward-2026' })
  const request = { learners, password: 'Learners-2026', withSample: true }
  return seedDataFolder(config, request, createLogger({ level: 'silent' }))
}

/** How many events there are of each category, less the admin, whose password each start makes anew until it was shown. */
const recorded = async (folder: string) => {
  const store = openSqliteEventStore({ path: join(folder, 'events.db') })
  const counts = new Map<string, number>()
  for await (const event of store.subscribe('start', 'all', new AbortController().signal)) {
    if (event.kind === 'caught-up') break
    const category = categoryOf(event.stream)
    if (category === 'setup' || event.type === 'UserPasswordChanged') continue
    counts.set(category, (counts.get(category) ?? 0) + 1)
  }
  await store.close()
  return counts
}

it('filling twice adds nothing twice', async () => {
  const folder = newFolder()
  const first = await fill(folder, 5)
  const before = await recorded(folder)
  expect(before.get('enrollment')).toBe(4)
  const second = await fill(folder, 5)
  expect(await recorded(folder)).toEqual(before)
  expect(first.sample?.notifications.sent).toBeGreaterThan(0)
  expect(second.sample?.notifications).toEqual({ sent: 0, read: 0 })
})

it('more learners are added, enrolled like the others, and nothing is sent again', async () => {
  const folder = newFolder()
  await fill(folder, 5)
  const before = await recorded(folder)
  const seeded = await fill(folder, 10)
  expect(seeded).toMatchObject({ learners: { created: 5, existing: 5 }, sample: { enrollments: 7 } })
  const after = await recorded(folder)
  expect(after.get('campaign')).toBe(before.get('campaign'))
  expect(after.get('enrollment')).toBe(7)
})

it('says what it made, and the password last', async () => {
  const lines = seededLines(await fill(newFolder(), 5))
  expect(lines).toEqual([
    '5 learners, learner-0001@example.com to learner-0005@example.com',
    '1 member of the faculty, faculty@example.com',
    '4 programmes, 4 enrolments',
    expect.stringMatching(/^19 notifications sent, read \d+ times$/),
    'Password: Learners-2026',
  ])
})
