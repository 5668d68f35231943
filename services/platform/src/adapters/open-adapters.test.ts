import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openBus, openEventStore, openReadModel } from './open-adapters.ts'

const logger = pino({ level: 'silent' })

it('opens what one machine needs from its addresses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wire-'))
  const eventStore = await openEventStore(`sqlite:${folder}/events.db`)
  const readModel = await openReadModel(`sqlite:${folder}/read-models`, 'main')
  const inMemory = await openReadModel('memory:', 'main')
  const bus = await openBus('memory:', { eventStore, publishers: [], logger })
  const parts = [eventStore, readModel, inMemory, bus]
  expect(await Promise.all(parts.map((part) => part.check()))).toHaveLength(parts.length)
  for (const part of parts.toReversed()) await part.close()
  await rm(folder, { recursive: true })
})

it('says in one line which addresses it knows, without repeating one that may hold a password', async () => {
  const secret = 'mysql://:secret@host'
  const apiErrors = await Promise.allSettled([
    openEventStore('mysql://host'),
    openEventStore('sqlite:'),
    openReadModel(secret, 'main'),
    openReadModel('sqlite:', 'main'),
  ])
  const messages = apiErrors.map((refusal) =>
    refusal.status === 'rejected' ? String(refusal.reason.message) : 'opened',
  )
  expect(messages).toEqual([
    "EVENT_STORE_URL: no event store is known by the scheme 'mysql'; use sqlite:FILE or esdb://HOST",
    "EVENT_STORE_URL: 'sqlite:' names no file",
    "READ_MODEL_URL: no read model is known by the scheme 'mysql'; use sqlite:FOLDER, redis://HOST or memory:",
    "READ_MODEL_URL: 'sqlite:' names no folder",
  ])
  const eventStore = await openEventStore(`sqlite:${await mkdtemp(join(tmpdir(), 'wire-'))}/events.db`)
  await expect(openBus('amqp://host:9092', { eventStore, publishers: [], logger })).rejects.toThrow(
    "BUS_URL: no bus is known by the scheme 'amqp'; use memory: or kafka://HOST:PORT",
  )
  await eventStore.close()
})
