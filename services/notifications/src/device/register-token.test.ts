import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { ok } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import { createMemoryLimiters } from '@portal/platform/limits/memory'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createMemoryLog, type MemoryLog } from '@portal/notifications/testing/memory-log'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { createHandleDevice } from './devices.ts'
import { deviceProjection, maxTokensPerUser } from './projection.ts'
import { createRegisterToken, newTokensLimit } from './register-token.ts'

const someone = { userId: userIdAt(1), sessionId: sessionIdAt(1) }
const kept = Array.from({ length: maxTokensPerUser }, (_, n) => ({
  tokenIndex: `index-${n}`,
  sessionId: someone.sessionId,
  token: encryptedTextSchema.parse(`encrypted-${n}`),
}))

type Parts = Pick<Parameters<typeof createRegisterToken>[0], 'readModel' | 'now'> & {
  readonly log: Pick<MemoryLog, 'append' | 'events'>
}

/** On a store that cannot read the stream of the oldest kept token. */
const registering = ({ log, ...parts }: Parts) => {
  const eventStore: Pick<EventStore, 'read' | 'append'> = {
    read: async function* (stream) {
      if (stream === 'device-index-0') throw new Error('the store is unavailable')
      yield* log.events.filter((event) => event.stream === stream)
    },
    append: async (stream, _expected, events) => log.append(stream, ...events),
  }
  return createRegisterToken({
    ...parts,
    handle: createHandleDevice({ eventStore, clockAndIds: systemClockAndIds }),
    vault: { index: () => 'index-new', encrypt: async () => encryptedTextSchema.parse('encrypted') },
    newTokensPerUser: createMemoryLimiters({ elapsedMs: () => 0 }).of('newPushTokensPerUser', newTokensLimit),
    isEnded: async () => false,
    logger: pino({ level: 'silent' }),
  })
}

it('a recorded token is reported as saved, although the projection is behind and the removal of the oldest fails', async () => {
  const log = createMemoryLog()
  const registerToken = registering({
    log,
    readModel: { get: async () => kept, whenApplied: async () => false },
    now: () => new Date(0),
  })
  expect(await registerToken(someone, { token: 'new', deviceName: 'A browser' }, {})).toEqual(ok({ isRevoked: false }))
  expect(log.events.map(({ stream, type }) => [stream, type])).toEqual([['device-index-new', 'PushTokenRegistered']])
})

it('the use of a kept token is recorded once a day, not at each start of the browser', async () => {
  let now = new Date()
  const log = createProjectedLog(
    deviceProjection,
    createMemoryLog(0, () => now),
  )
  onTestFinished(() => log.close())
  const readModel = { get: log.readModel.get, whenApplied: () => log.project().then(() => true) }
  const registerToken = registering({ log, readModel, now: () => now })
  for (const at of ['01T08:00', '01T23:59', '02T00:01', '02T20:00', '04T09:00', '04T09:00']) {
    now = new Date(`2026-01-${at}Z`)
    await registerToken(someone, { token: 'new', deviceName: 'A browser' }, {})
  }
  expect(log.events.map(({ type, at }) => `${type} ${at.slice(0, 16)}`)).toEqual([
    'PushTokenRegistered 2026-01-01T08:00',
    'PushTokenUsed 2026-01-02T00:01',
    'PushTokenUsed 2026-01-04T09:00',
  ])
})
