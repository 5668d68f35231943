import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { ErasedUserError } from './port.ts'
import { fingerprintInEventStoreDb, openEventStoreDbVault } from './eventstoredb-vault.ts'
import { fingerprintOfKeys } from './stored-user-keys.ts'
import { copySomeKeys, expectCopied, vaultWithSomeKeys } from '@portal/platform/testing/personal-data/some-keys'
import { eventStoreDbKeysTarget } from './user-keys-target.ts'

describe.each(serversUnderTest)('user keys that are copied into EventStoreDB, %s', (_name, startServer) => {
  test('RS-5 copied keys decrypt the data, and destroyed keys stay destroyed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keys-'))
    const { url, stop } = await startServer()
    onTestFinished(async () => {
      await stop()
      rmSync(folder, { recursive: true })
    })
    const source = await vaultWithSomeKeys(folder)
    const options = { masterKey: source.masterKey, masterKeyFile: join(folder, 'unused.key') }
    expect(await fingerprintInEventStoreDb(url)).toBeUndefined()
    for (let times = 0; times < 2; times++)
      await copySomeKeys(source.keysFile, await eventStoreDbKeysTarget(url, options))
    expect(await fingerprintInEventStoreDb(url)).toBe(fingerprintOfKeys(source.keysFile))
    const vault = await openEventStoreDbVault({ url, ...options })
    await expectCopied(vault, source.encrypted)
    await expect(vault.encrypt('cem', 'again')).rejects.toThrow(ErasedUserError)
    await vault.erase('ann')
    await vault.close()
    await copySomeKeys(source.keysFile, await eventStoreDbKeysTarget(url, options))
    const again = await openEventStoreDbVault({ url, ...options })
    expect(await again.decrypt('ann', source.encrypted.ann)).toBeUndefined()
    await again.close()
  })
})
