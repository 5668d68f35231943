import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  EventStoreDBClient,
  jsonEvent,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { afterEach, expect, test } from 'vitest'
import { startStandIn, type StandIn, type StandInStart } from './start.ts'

const standIns = new Set<StandIn>()
const clients = new Set<EventStoreDBClient>()
afterEach(async () => {
  for (const client of clients) await client.dispose()
  for (const standIn of standIns) await standIn.stop()
  clients.clear()
  standIns.clear()
})

const start = async (options: StandInStart = {}) => {
  const standIn = await startStandIn(options)
  standIns.add(standIn)
  return standIn
}
const connect = (standIn: StandIn): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(standIn.url)
  clients.add(client)
  return client
}

const event = (n = 0) => jsonEvent({ id: randomUUID(), type: 'Happened', data: { n } })
/** With credentials, the client appends with single calls; without them, with one batch call. */
const byOwnCall = { credentials: { username: '', password: '' } }

const read = async (client: EventStoreDBClient, stream: string): Promise<number[]> => {
  const revisions: number[] = []
  for await (const { event: recorded } of client.readStream(stream)) revisions.push(Number(recorded?.revision))
  return revisions
}

for (const [way, options] of [
  ['a call of its own', byOwnCall],
  ['the batch call', {}],
] as const) {
  test(`the client's appends by ${way} are accepted and rejected as by EventStoreDB`, async () => {
    const client = connect(await start())
    const [first, second] = [event(1), event(2)]
    const answer = await client.appendToStream('cat-a', [first, second], { expectedRevision: 'no_stream', ...options })
    expect(answer).toMatchObject({ success: true, nextExpectedRevision: 1n })
    expect(
      await client.appendToStream('cat-a', [first, second], { expectedRevision: 'no_stream', ...options }),
    ).toEqual(answer)
    expect(await client.appendToStream('cat-a', [first, second], options)).toEqual(answer)
    const wrong = await client
      .appendToStream('cat-a', event(), { expectedRevision: 0n, ...options })
      .catch((error: unknown) => error)
    expect(wrong).toBeInstanceOf(WrongExpectedVersionError)
    expect(wrong).toMatchObject({ actualVersion: 1n, expectedVersion: 0n })
    // At the last revision, EventStoreDB does not check ids, so the adapter has to.
    expect(await client.appendToStream('cat-a', first, { expectedRevision: 1n, ...options })).toMatchObject({
      nextExpectedRevision: 2n,
    })
    expect(await read(client, 'cat-a')).toEqual([0, 1, 2])
    await client.tombstoneStream('cat-a')
    await expect(client.appendToStream('cat-a', event(), options)).rejects.toThrow(StreamDeletedError)
    await expect(read(client, 'cat-a')).rejects.toThrow(StreamDeletedError)
    await expect(read(client, 'cat-none')).rejects.toThrow(StreamNotFoundError)
  })
}

/** A gRPC message: not compressed, its length, its bytes. */
const framed = (request: streams.AppendReq): Buffer => {
  const bytes = request.serializeBinary()
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([prefix, bytes])
}

test('an append is not recorded when the connection breaks before its last event', async () => {
  const standIn = await start()
  const client = connect(standIn)
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from('cat-a').toString('base64'))
  const options = new streams.AppendReq.Options().setStreamIdentifier(identifier).setAny(new shared.Empty())
  const proposed = new streams.AppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(randomUUID()))
    .setData(Buffer.from('{}').toString('base64'))
  proposed.getMetadataMap().set('type', 'Happened').set('content-type', 'application/json')
  for (let attempt = 0; attempt < 20; attempt++) {
    const session = connectHttp2(`http://127.0.0.1:${standIn.port}`)
    const call = session.request({
      ':method': 'POST',
      ':path': '/event_store.client.streams.Streams/Append',
      'content-type': 'application/grpc',
    })
    for (const emitter of [session, call]) emitter.on('error', () => undefined)
    call.write(framed(new streams.AppendReq().setOptions(options)))
    call.write(framed(new streams.AppendReq().setProposedMessage(proposed)))
    await pause(attempt)
    session.destroy()
  }
  await client.appendToStream('cat-a', event(), byOwnCall)
  expect(await read(client, 'cat-a')).toEqual([0])
})

test('a deleted stream is hidden and continues at its next revision', async () => {
  const client = connect(await start())
  await client.appendToStream('cat-a', [event(), event()])
  await client.deleteStream('cat-a')
  await expect(read(client, 'cat-a')).rejects.toThrow(StreamNotFoundError)
  await client.appendToStream('cat-a', event(), { expectedRevision: 'no_stream' })
  expect(await read(client, 'cat-a')).toEqual([2])
})

test('a filtered subscription gets events, checkpoints and caught-up messages', async () => {
  const client = connect(await start())
  await client.appendToStream('dog-a', Array.from({ length: 70 }, event))
  await client.appendToStream('cat-a', Array.from({ length: 3 }, event))
  const said: string[] = []
  const filter = streamNameFilter({
    prefixes: ['cat-'],
    checkpointReached: async () => void said.push('checkpoint'),
  })
  const subscription = client.subscribeToAll({ filter })
  subscription.on('caughtUp', () => said.push('caught up'))
  subscription.on('data', ({ event: recorded }) => said.push(`${recorded?.streamId} ${recorded?.revision}`))
  await expect.poll(() => said.at(-1)).toBe('caught up')
  await client.appendToStream('cat-b', event())
  await expect.poll(() => said.at(-1)).toBe('cat-b 0')
  expect(said).toEqual(['checkpoint', 'checkpoint', 'cat-a 0', 'cat-a 1', 'cat-a 2', 'caught up', 'cat-b 0'])
  await subscription.unsubscribe()
})

test('acknowledged events survive SIGKILL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'))
  const standIn = await start({ folder })
  await connect(standIn).appendToStream('cat-a', [event(), event()])
  await standIn.stop('SIGKILL')
  standIns.delete(standIn)
  const again = await start({ folder, port: standIn.port })
  expect(await read(connect(again), 'cat-a')).toEqual([0, 1])
  await again.stop()
  standIns.delete(again)
  await rm(folder, { recursive: true })
})

test('drops connections, rejects calls and loses answers on command', async () => {
  const standIn = await start()
  const client = connect(standIn)
  const subscription = client.subscribeToAll()
  const dropped = new Promise((resolve) => subscription.on('error', resolve))
  await new Promise((resolve) => subscription.on('caughtUp', () => resolve(undefined)))
  await standIn.command({ name: 'drop-connections' })
  expect(await dropped).toBeInstanceOf(Error)

  await standIn.command({ name: 'refuse' })
  await expect(client.appendToStream('cat-a', event(), byOwnCall)).rejects.toThrow(UnavailableError)
  await standIn.command({ name: 'serve' })
  await standIn.command({ name: 'lose-answers', appends: 1 })
  await expect(client.appendToStream('cat-a', event(), byOwnCall)).rejects.toThrow(UnavailableError)
  expect(await read(client, 'cat-a')).toEqual([0])
})
