import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSecureStandIn } from '@portal/dev-cluster/event-store/start'
import { openEventStoreDbVault } from '@portal/platform/personal-data/eventstoredb-vault'
import { expect, it, onTestFinished } from 'vitest'
import { erasedKeysOnDisk } from './erased-keys.ts'
import { scavengePortal } from './scavenge-portal.ts'

const waiting = { signal: new AbortController().signal, onProgress: () => undefined }

it('scavenges as the administrator of ADMIN_URL, and reports a missing one', async () => {
  const standIn = await startSecureStandIn({ user: 'admin', password: 'right' })
  const dataDir = await mkdtemp(join(tmpdir(), 'scavenge-'))
  onTestFinished(async () => {
    await standIn.stop()
    await rm(dataDir, { recursive: true })
  })
  const admin = standIn.urlOf('admin', 'right')
  const vault = await openEventStoreDbVault({ url: admin, masterKeyFile: join(dataDir, 'master.key') })
  onTestFinished(() => vault.close())
  await vault.encrypt('ann', 'Ann Lee')
  await vault.erase('ann')

  const config = { dataDir, eventStoreUrl: standIn.urlOf('portal', 'other') }
  await expect(scavengePortal(config, undefined, waiting)).rejects.toThrow(
    /^EventStoreDB at esdb:\/\/127\.0\.0\.1:\d+ does not allow this user to scavenge: set ADMIN_URL/,
  )
  expect(await erasedKeysOnDisk({ ...config, eventStoreUrl: admin })).toEqual({ keys: 1, isAtLeast: false })
  const [, at] = /@(127\.0\.0\.1:\d+)/.exec(admin) ?? []
  expect(await scavengePortal(config, admin, waiting)).toEqual({
    at: `esdb://${at}`,
    nodes: [at],
    erasedKeys: 1,
    left: 0,
  })
  expect(await erasedKeysOnDisk({ ...config, eventStoreUrl: admin })).toMatchObject({ keys: 0 })
})
