import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newEvents, pull, readAll, record } from '@portal/platform/testing/event-store/contract/harness'
import { EventStoreUnavailableError, UntrustedCertificateError } from '../errors.ts'
import { openEventStoreDb } from '../eventstoredb.ts'
import { startStandIn } from '@portal/engines/event-store/start'

const password = 'p@ss:w/rd?&%'

/** A stand-in with TLS, a self-signed certificate and a required user. */
const startSecure = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', [...kind, ...subject, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' })
  const standIn = await startStandIn({ tls: { certificateFile, keyFile }, login: { user: 'portal', password } })
  onTestFinished(async () => {
    await standIn.stop()
    await rm(folder, { recursive: true })
  })
  const host = `127.0.0.1:${standIn.port}`
  return { host, trusting: `tlsCAFile=${encodeURIComponent(certificateFile)}` }
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
  const message = 'EventStoreDB denies access to the user that EVENT_STORE_URL names'
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
