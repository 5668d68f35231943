import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listUsers } from '@portal/contracts/auth/http'
import { listMyPrograms, listPrograms, listUniversities } from '@portal/contracts/catalog/http'
import {
  countUnread,
  getActivity,
  listNotifications,
  listRecentNotifications,
} from '@portal/contracts/notifications/http'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { categoryOf } from '@portal/platform/event-store/stream-name'
import { createLogger } from '@portal/platform/observability/logger'
import { loadConfig } from '@portal/platform/settings/config'
import { seededLines } from '@portal/sample-data/seed-portal'
import { type PortalFixture, startPortalFixture } from '@portal/standalone/testing/portal-fixture'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { seedDataFolder } from './seed-data-folder.ts'

const learnerCount = 12

describe('a seeded portal', () => {
  let fixture: PortalFixture
  beforeAll(async () => {
    fixture = await startPortalFixture({ learners: learnerCount, withSample: true })
  })
  afterAll(() => fixture.stop())

  // First, because a login on a new device sends one.
  it('is offered no sample data, and has sent no messages', () => {
    expect(fixture.portal).toMatchObject({ isEmpty: false, seeded: undefined })
    expect(existsSync(join(fixture.folder, 'outbox.jsonl'))).toBe(false)
  })

  it('has programs, universities, enrollments and notifications for learners and faculty', async () => {
    expect(await fixture.call(listPrograms, {})).toHaveLength(4)
    expect((await fixture.call(listUniversities, {})).length).toBeGreaterThan(0)
    const counts = []
    for (let n = 1; n <= learnerCount; n++) {
      const { programs } = await fixture.call(listMyPrograms, { as: await fixture.learner(n) })
      counts.push(programs.length)
    }
    expect(counts).toEqual([1, 2, 1, 0, 0, 1, 1, 1, 0, 0, 1, 2])
    const { count } = await fixture.call(countUnread, { as: await fixture.learner(1) })
    expect(count).toBeGreaterThan(0)
    const { notifications } = await fixture.call(listNotifications, { as: await fixture.faculty() })
    expect(notifications.length).toBeGreaterThan(0)
  })

  it('has a history, chart data and users for the admin', async () => {
    const admin = await fixture.admin()
    const { pagination } = await fixture.call(listRecentNotifications, { as: admin })
    const { days } = await fixture.call(getActivity, { as: admin })
    const sum = (what: 'sends' | 'reads') => days.reduce((total, day) => total + day[what], 0)
    expect(sum('sends')).toBe(pagination.total)
    expect(sum('reads')).toBeGreaterThan(0)
    expect((await fixture.call(listUsers, { as: admin })).users).toHaveLength(learnerCount + 2)
  })
})

describe('learners only', () => {
  it('are learners without programs and notifications', async () => {
    const fixture = await startPortalFixture({ learners: 2 })
    try {
      expect(await fixture.call(listPrograms, {})).toEqual([])
      const { notifications } = await fixture.call(listNotifications, { as: await fixture.learner(1) })
      expect(notifications).toEqual([])
    } finally {
      await fixture.stop()
    }
  })
})

describe('an empty portal', () => {
  it('is seeded before it serves, if the offer is accepted', async () => {
    const offerSample = async () => ({ learners: 3, password: 'Offered-2026', withSample: true })
    const fixture = await startPortalFixture({ learners: 0, offerSample })
    try {
      expect(fixture.portal).toMatchObject({ isEmpty: false, seeded: { password: 'Offered-2026' } })
      expect(fixture.portal.seeded?.sample).toMatchObject({ programs: 4, facultyEmail: 'faculty@example.com' })
      expect(await fixture.call(listPrograms, {})).toHaveLength(4)
    } finally {
      await fixture.stop()
    }
  })

  it('stays empty if the offer is declined, and reports it', async () => {
    const fixture = await startPortalFixture({ learners: 0, offerSample: async () => undefined })
    try {
      expect(fixture.portal).toMatchObject({ isEmpty: true, seeded: undefined })
    } finally {
      await fixture.stop()
    }
  })

  it('is offered no sample data in production', async () => {
    let offers = 0
    const fixture = await startPortalFixture({
      learners: 0,
      environment: { NODE_ENV: 'production' },
      offerSample: async () => {
        offers += 1
        return undefined
      },
    })
    try {
      expect(offers).toBe(0)
      expect(fixture.portal.isEmpty).toBe(false)
    } finally {
      await fixture.stop()
    }
  })
})

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

/** The number of events per category, without the admin, whose password each start replaces until it was shown. */
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

it('adds more learners with enrollments, and sends nothing again', async () => {
  const folder = newFolder()
  await fill(folder, 5)
  const before = await recorded(folder)
  const seeded = await fill(folder, 10)
  expect(seeded).toMatchObject({ learners: { created: 5, existing: 5 }, sample: { enrollments: 7 } })
  const after = await recorded(folder)
  expect(after.get('campaign')).toBe(before.get('campaign'))
  expect(after.get('enrollment')).toBe(7)
})

it('prints what was created, and the password last', async () => {
  const lines = seededLines(await fill(newFolder(), 5))
  expect(lines).toEqual([
    '5 learners, learner-0001@example.com to learner-0005@example.com',
    '1 faculty member, faculty@example.com',
    '4 programs, 4 enrollments',
    expect.stringMatching(/^19 notifications sent, read \d+ times$/),
    'Password: Learners-2026',
  ])
})
