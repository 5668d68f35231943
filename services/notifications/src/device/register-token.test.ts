import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { ok } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import { createMemoryLimiters } from '@portal/platform/limits/memory'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createMemoryLog } from '@portal/notifications/testing/memory-log'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { createHandleDevice } from './devices.ts'
import { maxTokensPerUser } from './projection.ts'
import { createRegisterToken, newTokensLimit } from './register-token.ts'

const someone = { userId: userIdAt(1), sessionId: sessionIdAt(1) }
const kept = Array.from({ length: maxTokensPerUser }, (_, n) => ({
  tokenIndex: `index-${n}`,
  sessionId: someone.sessionId,
  token: encryptedTextSchema.parse(`encrypted-${n}`),
}))

it('a recorded token is reported as saved, although the projection is behind and the removal of the oldest fails', async () => {
  const log = createMemoryLog()
  const eventStore: Pick<EventStore, 'read' | 'append'> = {
    read: async function* (stream) {
      if (stream === 'device-index-0') throw new Error('the store is unavailable')
      yield* log.events.filter((event) => event.stream === stream)
    },
    append: async (stream, _expected, events) => log.append(stream, ...events),
  }
  const registerToken = createRegisterToken({
    handle: createHandleDevice({ eventStore, clockAndIds: systemClockAndIds }),
    readModel: { get: async () => kept, whenApplied: async () => false },
    vault: { index: () => 'index-new', encrypt: async () => encryptedTextSchema.parse('encrypted') },
    newTokensPerUser: createMemoryLimiters({ elapsedMs: () => 0 }).of('newPushTokensPerUser', newTokensLimit),
    isEnded: async () => false,
    logger: pino({ level: 'silent' }),
  })
  expect(await registerToken(someone, { token: 'new', deviceName: 'A browser' }, {})).toEqual(ok({ isRevoked: false }))
  expect(log.events.map(({ stream, type }) => [stream, type])).toEqual([['device-index-new', 'PushTokenRegistered']])
})
