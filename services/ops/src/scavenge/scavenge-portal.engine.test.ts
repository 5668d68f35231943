import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSecureStandIn, startStandIn } from '@portal/engines/event-store/start'
import { openEventStoreDbVault } from '@portal/platform/personal-data/eventstoredb-vault'
import { loadConfig } from '@portal/platform/settings/config'
import { setStreamMetadata } from '@portal/platform/testing/event-store/stream-metadata'
import { until } from '@portal/platform/testing/until'
import { expect, it, onTestFinished } from 'vitest'
import { checkEngines } from '../doctor/engines.ts'
import { collectStatus } from '../status/collect-status.ts'
import { erasedKeysOnDisk } from './erased-keys.ts'
import { scavengePortal } from './scavenge-portal.ts'

const tenSecondsMs = 10_000

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scavenge-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('starts a scavenge as the administrator of ADMIN_URL, and reports a missing one', async () => {
  const others = [{ user: 'portal', password: 'right' }]
  const standIn = await startSecureStandIn({ user: 'admin', password: 'right' }, others)
  onTestFinished(() => standIn.stop())
  const dataDir = await newFolder()
  const admin = standIn.urlOf('admin', 'right')
  const vault = await openEventStoreDbVault({ url: admin, masterKeyFile: join(dataDir, 'master.key') })
  onTestFinished(() => vault.close())
  await vault.encrypt('ann', 'Ann Lee')
  await vault.erase('ann')

  const config = { dataDir, eventStoreUrl: admin }
  await expect(scavengePortal(config, standIn.urlOf('admin', 'wrong'))).rejects.toThrow(
    /^EventStoreDB rejects the user or the password in ADMIN_URL \(16 UNAUTHENTICATED: Unauthenticated\): correct them$/,
  )
  const mistyped = { dataDir, eventStoreUrl: standIn.urlOf('portal', 'wrong') }
  await expect(scavengePortal(mistyped, admin)).rejects.toThrow(
    /^EventStoreDB rejects the user or the password in EVENT_STORE_URL \(16 UNAUTHENTICATED: Unauthenticated\): correct/,
  )
  await expect(scavengePortal(config, standIn.urlOf('portal', 'right'))).rejects.toThrow(
    /^EventStoreDB at esdb:\/\/127\.0\.0\.1:\d+ does not allow this user to scavenge: set ADMIN_URL/,
  )
  expect(await erasedKeysOnDisk(config)).toEqual({ keys: 1, isAtLeast: false })
  const [, node] = /@(127\.0\.0\.1:\d+)/.exec(admin) ?? []
  expect(await scavengePortal(config, admin)).toEqual({ at: `esdb://${node}`, nodes: [node], erasedKeys: 1 })
  await until(async () => expect(await erasedKeysOnDisk(config)).toMatchObject({ keys: 0 }))
})

it('refuses while metadata truncates a stream of the portal, and make status names it', async () => {
  const standIn = await startStandIn()
  onTestFinished(() => standIn.stop())
  const config = loadConfig({ DATA_DIR: await newFolder(), EVENT_STORE_URL: standIn.url })
  await setStreamMetadata(standIn.url, 'user-1', { maxCount: 10 })
  const named = 'EventStoreDB truncates user-1 ($maxCount 10)'
  await expect(scavengePortal(config)).rejects.toThrow(`${named}, and a scavenge would remove their events: remove`)
  expect((await collectStatus(config, new Date())).problems).toContainEqual(expect.stringContaining(named))
  expect(await checkEngines(config)).toContainEqual(expect.objectContaining({ result: 'fail', says: named }))

  await setStreamMetadata(standIn.url, 'user-1', {})
  expect(await scavengePortal(config)).toMatchObject({ erasedKeys: 0 })
  expect((await collectStatus(config, new Date())).problems.join()).not.toContain('truncates')
})

it('reports a scavenge that is already running, and a node that does not respond', async () => {
  const standIn = await startStandIn()
  onTestFinished(() => standIn.stop())
  const config = { dataDir: await newFolder(), eventStoreUrl: standIn.url }
  await standIn.command({ name: 'delay-appends', ms: tenSecondsMs })
  await scavengePortal(config)
  await expect(scavengePortal(config)).rejects.toThrow(
    /^A scavenge of esdb:\/\/127\.0\.0\.1:\d+ is already running\..* run make scavenge again when it has ended$/,
  )
  await expect(scavengePortal(config, 'esdb://admin:secret@127.0.0.1:9?tls=false')).rejects.toThrow(
    /^EventStoreDB at esdb:\/\/127\.0\.0\.1:9 did not start a scavenge: .*ECONNREFUSED/,
  )
})
