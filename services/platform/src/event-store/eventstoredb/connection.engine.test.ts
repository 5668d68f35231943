import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newEvents, pull, readAll, record } from '@portal/platform/testing/event-store/contract/harness'
import { EventStoreUnavailableError, UntrustedCertificateError } from '../errors.ts'
import { openEventStoreDb } from '../eventstoredb.ts'
import { startSecureStandIn, startStandIn } from '@portal/engines/event-store/start'
import { connectTo } from './client.ts'

const password = 'p@ss:w/rd?&%'

const startSecure = async () => {
  const standIn = await startSecureStandIn({ user: 'portal', password })
  onTestFinished(() => standIn.stop())
  const { port, certificateFile } = standIn
  return { host: `127.0.0.1:${port}`, trusting: `tlsCAFile=${encodeURIComponent(certificateFile)}` }
}

const open = async (url: string) => {
  const store = await openEventStoreDb({ url })
  onTestFinished(() => store.close())
  return store
}

test('ES-77 reads user, password and certificate from the address', async () => {
  const { host, trusting } = await startSecure()
  const store = await open(`esdb://portal:${encodeURIComponent(password)}@${host}?${trusting}`)
  const { position } = await record(store, 'cat-a', newEvents(2))
  expect(await readAll(store, 'cat-a')).toHaveLength(2)
  const subscription = pull(store)
  expect(await subscription.untilCaughtUp()).toMatchObject({ position, events: [{ revision: 0 }, { revision: 1 }] })
  await subscription.stop()
})

test('ES-77 rejects a wrong password without showing the address', async () => {
  const { host, trusting } = await startSecure()
  const denied = await open(`esdb://portal:wrong-password@${host}?${trusting}`)
  const message = 'EventStoreDB rejects the user or the password in EVENT_STORE_URL (16 UNAUTHENTICATED'
  await expect(denied.append('cat-a', 'any', newEvents(1))).rejects.toThrow(message)
  await expect(readAll(denied, 'cat-a')).rejects.toThrow(message)
  await expect(pull(denied).next()).rejects.toThrow(message)
  await expect(denied.check()).rejects.toThrow(message)
})

test('ES-77 reports an untrusted certificate, with the setting that helps', async () => {
  const { host } = await startSecure()
  const store = await open(`esdb://portal:${encodeURIComponent(password)}@${host}`)
  const message =
    /^The event store's certificate is not trusted \(self-signed certificate\); name .+ EVENT_STORE_URL: tlsCAFile=…$/
  await expect(store.check()).rejects.toThrow(message)
  await expect(store.append('cat-a', 'any', newEvents(1))).rejects.toThrow(UntrustedCertificateError)
  await expect(pull(store).next()).rejects.toThrow(UntrustedCertificateError)
})

test('ES-77 finds the leader among the hosts of a cluster', async () => {
  const standIn = await startStandIn()
  onTestFinished(() => standIn.stop())
  for (const address of [
    `esdb://127.0.0.1:1,127.0.0.1:${standIn.port}?tls=false`,
    `esdb+discover://127.0.0.1:${standIn.port}?tls=false`,
  ]) {
    const store = await open(address)
    await record(store, 'cat-a', newEvents(1))
    // As after an election: the client searches for the leader again.
    await standIn.command({ name: 'drop-connections' })
    await record(store, 'cat-a', newEvents(1))
  }
  const unreachable = await open('esdb://127.0.0.1:1,127.0.0.1:2?tls=false&maxDiscoverAttempts=1&discoveryInterval=10')
  await expect(unreachable.check()).rejects.toThrow(EventStoreUnavailableError)
})

test('ES-87 a connection that breaks while the leader is searched for rejects no promise without a handler', async () => {
  const standIn = await startStandIn()
  onTestFinished(() => standIn.stop())
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled))
  const address = `esdb://127.0.0.1:1,127.0.0.1:${standIn.port}?tls=false`
  const engine = connectTo(`${address}&maxDiscoverAttempts=1&gossipTimeout=1`)
  onTestFinished(() => engine.close())
  const append = (stream: string) => {
    const events = newEvents(1).map(({ id, type }) => ({ id, type, data: '{}', metadata: null }))
    return engine.append(stream, -1, events, 5_000)
  }
  await append('cat-a')
  await standIn.command({ name: 'be-silent' })
  // The first call that fails makes the client forget its connection, and its repetition searches for the leader again.
  const repeated = Array.from({ length: 20 }, (_, n) => append(`cat-${n}`).catch(() => append(`cat-${n}`)))
  await nextTurn()
  await standIn.command({ name: 'drop-connections' })
  const answers = await Promise.allSettled(repeated)
  for (const answer of answers) expect(answer).toMatchObject({ reason: { name: 'EventStoreUnavailableError' } })
  await standIn.command({ name: 'serve' })
  expect(await append('cat-b')).toMatchObject({ kind: 'written' })
  expect(unhandled).toEqual([])
})
