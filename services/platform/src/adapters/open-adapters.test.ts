import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openBus, openEventStore, openReadModel } from './open-adapters.ts'

const logger = pino({ level: 'silent' })

it('opens the adapters of a single machine by their addresses', async () => {
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

it('names the known schemes in one line, and never an address that may contain a password', async () => {
  const secret = 'mysql://:secret@host'
  const outcomes = await Promise.allSettled([
    openEventStore('mysql://host'),
    openEventStore('sqlite:'),
    openReadModel(secret, 'main'),
    openReadModel('sqlite:', 'main'),
  ])
  const messages = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? String(outcome.reason.message) : 'opened',
  )
  expect(messages).toEqual([
    "EVENT_STORE_URL: unknown event store scheme 'mysql'; use sqlite:FILE or esdb://HOST",
    "EVENT_STORE_URL: 'sqlite:' names no file",
    "READ_MODEL_URL: unknown read model scheme 'mysql'; use sqlite:FOLDER, redis://HOST or memory:",
    "READ_MODEL_URL: 'sqlite:' names no folder",
  ])
  const eventStore = await openEventStore(`sqlite:${await mkdtemp(join(tmpdir(), 'wire-'))}/events.db`)
  await expect(openBus('amqp://host:9092', { eventStore, publishers: [], logger })).rejects.toThrow(
    "BUS_URL: unknown bus scheme 'amqp'; use memory: or kafka://HOST:PORT",
  )
  await eventStore.close()
})
