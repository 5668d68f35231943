import { logOut } from '@portal/contracts/auth/http'
import { readAllNotifications, readNotification, sendNotification } from '@portal/contracts/notifications/http'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { inboxChangedSchema } from '@portal/contracts/notifications/socket'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Person,
  type PortalFixture,
  startPortalFixture,
  type Tab,
} from '@portal/standalone/testing/portal-fixture'
import { until } from '@portal/platform/testing/until'

/** Time enough for a tab to report on a busy machine: neither the grace period nor the wait of a send decides what is counted. */
const waitingForTabs = { SEEN_GRACE_MS: '600000', SEND_WAIT_MS: '10000' }

let fixture: PortalFixture
let admin: Person
beforeAll(async () => {
  fixture = await startPortalFixture({ learners: 6, environment: waitingForTabs })
  admin = await fixture.admin()
})
afterAll(() => fixture.stop())

/** A tab that reports what it has shown. */
const watch = (tab: Tab): Tab => {
  tab.client.on('inbox:changed', ({ seq }) => void tab.client.emit('inbox:seen', { seq }))
  return tab
}

const send = (people: readonly Person[], title = 'The hall is closed') =>
  fixture.call(sendNotification, {
    as: admin,
    body: { userIds: people.map(({ userId }) => userId), title, message: 'Please come to room 12.', type: 'General' },
  })

describe('a notification', () => {
  it('reaches every open tab of its recipients, and is counted as seen', async () => {
    const [ada, ben] = [await fixture.learner(1), await fixture.learner(2)]
    const [first, second, other] = [
      watch(await fixture.openTab(ada)),
      watch(await fixture.openTab(ada)),
      watch(await fixture.openTab(ben)),
    ]
    const hidden = await fixture.openTab(ben)
    hidden.client.emit('tab:visibility', { visible: false })
    await hidden.client.emitWithAck('inbox:resume', { since: 0 })

    const { notificationId, successCount, targeted } = await send([ada, ben])
    expect({ successCount, targeted }).toEqual({ successCount: 3, targeted: 2 })
    for (const { messages } of [first, second, other, hidden]) {
      // The answer waits for reports, and a hidden tab reports nothing.
      const last = await until(() => {
        const message = inboxChangedSchema.parse(messages.at(-1))
        expect(message).toMatchObject({ seq: 1, unread: 1 })
        return message
      })
      expect(last.changes).toMatchObject([{ kind: 'arrived', notification: { _id: notificationId, isRead: false } }])
    }
  })

  it('read in one tab is read in the others, and a mark-all covers what has arrived', async () => {
    const reader = await fixture.learner(4)
    const [reading, other] = [watch(await fixture.openTab(reader)), watch(await fixture.openTab(reader))]
    const { notificationId } = await send([reader])
    await send([reader], 'Fees are due')
    await fixture.call(readNotification, { as: reader, params: { id: notificationId } })
    await fixture.call(readAllNotifications, { as: reader })
    for (const { messages } of [reading, other]) {
      await until(() => expect(messages.at(-1)).toMatchObject({ seq: 4, unread: 0 }))
      expect(messages.flatMap(({ changes }) => changes)).toMatchObject([
        { kind: 'arrived', seq: 1 },
        { kind: 'arrived', seq: 2 },
        { kind: 'read', seq: 3, notificationId },
        { kind: 'all-read', seq: 4 },
      ])
    }
  })
})

describe('an admin', () => {
  it('sees the states of a send: pending, live, then read', async () => {
    const learner = await fixture.learner(6)
    watch(await fixture.openTab(learner))
    const { client } = await fixture.openTab(admin)
    const told: CampaignProgress[] = []
    client.on('campaign:progress', (progress) => told.push(progress))
    const { notificationId } = await send([learner])
    const last = () => told.findLast((progress) => progress.notificationId === notificationId)
    await until(() => expect(last()).toMatchObject({ targeted: 1, pending: 0, live: 1, read: 0 }))
    await fixture.call(readNotification, { as: learner, params: { id: notificationId } })
    await until(() => expect(last()).toMatchObject({ live: 1, read: 1 }))
    for (const { targeted, pending, live, pushed, skipped, failed, cancelled } of told) {
      expect(pending + live + pushed + skipped + failed + cancelled).toBe(targeted)
    }
  })
})

describe('a logout', () => {
  it('closes the tabs of its session, not those of another device', async () => {
    const [here, there] = [await fixture.learner(1), await fixture.learner(1)]
    const [closing, staying] = [await fixture.openTab(here), await fixture.openTab(there)]
    const told = new Promise((resolve) => closing.client.once('session:ended', resolve))
    await fixture.call(logOut, { as: here })
    expect(await told).toEqual({ reason: 'logged-out' })
    await until(() => expect(closing.client.connected).toBe(false))
    expect(staying.client.connected).toBe(true)
    await expect(fixture.openTab(here)).rejects.toThrow('unauthenticated')
  })
})

it('publishes only the public signing keys', async () => {
  const response = await fetch(`${fixture.portal.address}/.well-known/jwks.json`)
  const { keys } = z.object({ keys: z.array(z.record(z.string(), z.string())) }).parse(await response.json())
  expect(keys).toHaveLength(1)
  expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})
