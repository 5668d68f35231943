/** @module-tag verify */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as notifications from '@portal/contracts/notifications/http'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, logIn, seededEmail, wholeInbox } from './testing/api-client.ts'
import { createOperator, statusSchema } from './testing/operator.ts'
import {
  admin,
  eventually,
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/** A release is rolled back after it recorded an event of a type that the older release does not know. */
describe('an event type of a newer release', { timeout: 120_000 }, () => {
  const named = /^Event type UserPromoted of category user at position \d+ is unknown to this release/
  let data: Awaited<ReturnType<typeof newDataFolder>>
  let portal: PortalProcess
  let password: string

  beforeAll(async () => {
    data = await newDataFolder()
    password = await seedLearners(data.path, 2)
    const first = await startPortal({ dataDir: data.path })
    const { userId } = await logIn(first.address, seededEmail(2), password)
    await first.stop()
    const store = openSqliteEventStore({ path: join(data.path, 'events.db') })
    await store.append(`user-${userId}`, 'any', [{ id: randomUUID(), type: 'UserPromoted', data: { userId } }])
    await store.close()
    portal = await startPortal({ dataDir: data.path })
  }, 120_000)
  afterAll(async () => {
    await portal?.stop()
    await data?.remove()
  })

  it('is named by health, and the portal still takes requests', async () => {
    const report = await eventually('health is red', async () => {
      const response = await fetch(`${portal.address}/health`)
      return response.status === 503 && response.json()
    })
    expect(report).toMatchObject({ parts: { bus: 'down' }, unreadableEvents: [expect.stringMatching(named)] })
    expect((await fetch(`${portal.address}/health/ready`)).status).toBe(200)
    expect(portal.output()).not.toContain('    at ')
  })

  it('is named by make status', async () => {
    const operator = createOperator({ dataDir: data.path, settings: {} })
    const { problems } = await operator.json(statusSchema, 'status')
    expect(problems).toContainEqual(expect.stringMatching(named))
  })

  it('does not stop the consumers of other topics', async () => {
    const [sender, learner] = [
      await logIn(portal.address, admin.email, admin.password),
      await logIn(portal.address, seededEmail(1), password),
    ]
    const body = { userIds: [learner.userId], title: 'Meanwhile', message: 'Text', type: 'General' }
    await callRoute(portal.address, notifications.sendNotification, { token: sender.token, body })
    const { items } = await eventually('it is in the inbox', async () => {
      const inbox = await wholeInbox(portal.address, learner.token)
      return inbox.items.length > 0 && inbox
    })
    expect(items.map(({ title }) => title)).toEqual(['Meanwhile'])
  })
})
