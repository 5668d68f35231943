import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventStore } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openRedisReadModel } from '../read-model/redis.ts'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { systemClockAndIds } from '../decider/clock-and-ids.ts'
import { endedSessions, makeDenylist } from './session-denylist.ts'
import { openSessionRecord } from './session-record.ts'
import { makeSessionVerifier, signSessionToken } from './session-tokens.ts'
import type { Session, SessionVerifier } from './session.ts'
import { openSigningKeys } from './signing-keys.ts'
import { until } from '../../testing/until.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const sessionAt = (n: number): Session => ({
  sessionId: sessionIdSchema.parse(`01980000-0000-7000-8000-${String(n).padStart(12, '0')}`),
  userId,
  role: 'student',
  expiresAt: new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000),
})
const [ended, open] = [sessionAt(1), sessionAt(2)]
const logger = pino({ level: 'silent' })

let folder: string
let server: OwnServer
let eventStore: EventStore
let readModel: ReadModel
let verifier: SessionVerifier
let tokens: { readonly ended: string; readonly open: string }

const record = (session: Session, type: string) =>
  eventStore.append(`session-${session.sessionId}`, 'any', [{ id: systemClockAndIds.newId(), type, data: {} }])

/** Writes like the projection. */
const project = async (position: string, expected: string | undefined) => {
  const write = { op: 'put', collection: endedSessions, key: ended.sessionId, value: {} } as const
  const partition = bucketKey(userId)
  await readModel.commit({ projection: 'sessions', partition, expected, position, writes: [write] })
}

const startVerifier = async () => {
  const signingKeys = openSigningKeys({ file: join(folder, 'keys.json'), now: systemClockAndIds.now, logger })
  readModel = await openRedisReadModel({ url: server.url, namespace: 'sessions-main' })
  const denylist = makeDenylist(readModel)
  verifier = makeSessionVerifier({
    signingKeys,
    now: systemClockAndIds.now,
    denylist,
    record: openSessionRecord(eventStore),
  })
  return signingKeys
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'denylist-'))
  server = await makeOwnServer()
  await server.start()
  eventStore = openSqliteEventStore({ path: join(folder, 'events.db'), now: systemClockAndIds.now })
  const signingKeys = await startVerifier()
  tokens = {
    ended: await signSessionToken(signingKeys, ended, systemClockAndIds.now()),
    open: await signSessionToken(signingKeys, open, systemClockAndIds.now()),
  }
  for (const session of [ended, open]) await record(session, 'SessionStarted')
  // Wait for positions before taking the copy.
  await readModel.commit({
    projection: 'sessions',
    partition: bucketKey(userId),
    expected: undefined,
    position: '1',
    writes: [],
  })
  expect(await verifier.verify(tokens.ended)).toEqual(ended)
  expect(await verifier.verify(tokens.open)).toEqual(open)
})
afterEach(async () => {
  await readModel.close()
  await eventStore.close()
  await server.dispose()
  rmSync(folder, { recursive: true })
})

const expectStillEnded = async () => {
  // While reconnecting, the state is unknown and every token is rejected.
  await until(async () => expect(await verifier.verify(tokens.open)).toEqual(open))
  for (let n = 0; n < 20; n++) expect(await verifier.verify(tokens.ended)).toBeUndefined()
}

it('a session stays ended when Redis is emptied, while running and after a start, and open sessions stay open', async () => {
  await record(ended, 'SessionEnded')
  await project('2', '1')
  expect(await verifier.verify(tokens.ended)).toBeUndefined()
  await server.command('FLUSHALL')
  expect(await verifier.verify(tokens.ended)).toBeUndefined()
  await expectStillEnded()
  await readModel.close()
  await startVerifier()
  expect(await verifier.verify(tokens.ended)).toBeUndefined()
  await expectStillEnded()
})

it('a token that was not used since its session ended stays rejected when Redis comes back with older data', async () => {
  await server.keepCopy()
  await record(ended, 'SessionEnded')
  await project('2', '1')
  await server.kill()
  await server.startOlder()
  expect(await verifier.verify(tokens.ended)).toBeUndefined()
})
