import { savePushToken, sendNotification } from '@portal/contracts/notifications/http'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { createRelay } from '@portal/platform/bus/relay'
import type { EventStore, RecordedEvent } from '@portal/platform/event-store/port'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevices, createEndPushTokens, createHandleDevice } from './devices.ts'
import { notificationsPublishers } from '../projections.ts'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { createMemoryLog, type MemoryLog } from '@portal/notifications/testing/memory-log'
import { authPublisher, endedSessionsProjection, type Person } from '@portal/notifications/testing/people'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { until } from '@portal/platform/testing/until'
import { deviceProjection, tokensOf, tokensRef } from './projection.ts'

describe('a push token whose session ends during its registration', () => {
  let harness: Harness
  let admin: Person
  let ada: Person

  beforeEach(async () => {
    harness = await startHarness({ timings: { graceMs: 20 } })
    ;({ admin, ada } = await harness.cast())
  })
  afterEach(() => harness.stop())

  it('is rejected, and nothing is pushed to it', async () => {
    const { userId, sessionId } = ada
    // The request passed authentication before; its event follows the end of its session.
    await harness.record(ada, { type: 'SessionEnded', data: { userId, sessionId, reason: 'password-changed' } })
    const answer = await harness.inject(savePushToken, { as: ada, body: { token: 'stolen-phone' } })
    expect(answer.statusCode).toBe(401)
    const body = { userIds: [userId], title: 'Your result', message: 'private' }
    const { notificationId } = await harness.call(sendNotification, { as: admin, body })
    await until(async () => {
      const [progress] = await harness.context.service.progress.progressOf([notificationId])
      expect(progress).toMatchObject({ skipped: 1 })
    })
    expect(harness.push.pushedTokens()).toEqual([])
    await harness.untilProjected()
    expect(tokensOf(await harness.context.readModel.get(tokensRef(userId)))).toEqual([])
  })
})

describe('a push token of an account that is deactivated', () => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness({ timings: { graceMs: 20 } })
  })
  afterEach(() => harness.stop())

  it('gets pushes again once the account is reactivated and the browser registers it with the next login', async () => {
    const { admin, ada } = await harness.cast()
    const { userId, sessionId } = ada
    const body = { token: 'her-phone', deviceName: 'Phone' }
    await harness.call(savePushToken, { as: ada, body })
    await harness.record(ada, { type: 'UserDeactivated', data: { userId } })
    await harness.record(ada, { type: 'SessionEnded', data: { userId, sessionId, reason: 'deactivated' } })
    const tokens = async () => tokensOf(await harness.context.readModel.get(tokensRef(userId)))
    await until(async () => expect(await tokens()).toEqual([]))
    await harness.record(ada, { type: 'UserReactivated', data: { userId } })
    const again = { ...ada, sessionId: sessionIdAt(90) }
    expect(await harness.call(savePushToken, { as: again, body })).not.toHaveProperty('isRemoved')
    await harness.call(sendNotification, {
      as: admin,
      body: { userIds: [userId], title: 'Your result', message: 'Is here' },
    })
    await until(() => expect(harness.push.pushedTokens()).toEqual(['her-phone']))
  })
})

describe('a push token whose registration and session end arrive on two topics', () => {
  const [user, session] = [userIdAt(1), sessionIdAt(1)]
  const relay = createRelay([...notificationsPublishers, authPublisher])
  let log: MemoryLog
  let registrations: ProjectedLog
  let endings: ProjectedLog
  let endPushTokens: ReturnType<typeof createEndPushTokens>
  let devices: ReturnType<typeof createDevices>

  beforeEach(() => {
    log = createMemoryLog()
    registrations = createProjectedLog(deviceProjection, log, [...notificationsPublishers, authPublisher])
    endings = createProjectedLog(endedSessionsProjection, log, [...notificationsPublishers, authPublisher])
    const eventStore: Pick<EventStore, 'read' | 'append'> = {
      read: async function* (stream) {
        yield* log.events.filter((event) => event.stream === stream)
      },
      append: async (stream, _expected, events) => log.append(stream, ...events),
    }
    const waitingFor = (projected: ProjectedLog) => ({
      whenApplied: (projection: string, partition: string, position: string) =>
        projected.readModel.whenApplied(projection, partition, position, 0),
    })
    devices = createDevices({
      handle: createHandleDevice({ eventStore, clockAndIds: systemClockAndIds }),
      readModel: registrations.readModel,
      sessions: endings.readModel,
      vault: { decrypt: async (_userId, encrypted) => encrypted },
    })
    endPushTokens = createEndPushTokens({
      sessions: waitingFor(endings),
      deviceReadModel: waitingFor(registrations),
      devices,
    })
    const token = encryptedTextSchema.parse('encrypted')
    log.append('device-index-1', {
      type: 'PushTokenRegistered',
      data: { tokenIndex: 'index-1', userId: user, sessionId: session, token },
    })
    log.append(`user-${user}`, {
      type: 'SessionEnded',
      data: { userId: user, sessionId: session, reason: 'logged-out' },
    })
  })
  afterEach(() => Promise.all([registrations.close(), endings.close()]))

  const handle = async (recorded: RecordedEvent | undefined): Promise<void> => {
    if (!recorded) throw new Error('nothing was recorded')
    for (const envelope of relay.translate(recorded)) await endPushTokens(envelope)
  }
  const isEnded = () => log.events.some(({ type }) => type === 'PushTokenRemoved')

  it('is not used after the end of the session, regardless of what was handled', async () => {
    await registrations.project(1)
    expect(await devices.tokensOf([user])).toHaveLength(1)
    await endings.project()
    expect(await devices.tokensOf([user])).toEqual([])
  })

  it('is removed if the session end is handled before the registration is projected', async () => {
    const [registered, ended] = log.events
    await endings.project()
    await handle(ended)
    expect(isEnded()).toBe(false)
    await expect(handle(registered)).rejects.toThrow('has not applied')
    await registrations.project()
    await handle(registered)
    expect(isEnded()).toBe(true)
  })

  it('is removed if the registration is handled before the session end is on the denylist', async () => {
    const [registered, ended] = log.events
    await registrations.project()
    await handle(registered)
    expect(isEnded()).toBe(false)
    await expect(handle(ended)).rejects.toThrow('has not applied')
    await endings.project()
    await handle(ended)
    expect(isEnded()).toBe(true)
  })
})
