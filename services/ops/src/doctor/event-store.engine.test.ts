import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSecureStandIn } from '@portal/engines/event-store/start'
import { loadConfig } from '@portal/platform/settings/config'
import { expect, it, onTestFinished } from 'vitest'
import { checkDataFolder } from './data-folder.ts'
import { checkEngines } from './engines.ts'

it('reports an event store that cannot be used once, with its cause and what to do', { timeout: 60_000 }, async () => {
  const standIn = await startSecureStandIn({ user: 'admin', password: 'right' }, [
    { user: 'portal', password: 'right' },
  ])
  const dataDir = mkdtempSync(join(tmpdir(), 'doctor-'))
  onTestFinished(async () => {
    await standIn.stop()
    rmSync(dataDir, { recursive: true })
  })
  const failures = async (url: string) => {
    const config = loadConfig({ DATA_DIR: dataDir, EVENT_STORE_URL: url })
    const found = await Promise.all([checkEngines(config), checkDataFolder(config)])
    return found.flat().filter(({ result }) => result === 'fail' || result === 'warn')
  }
  const at = `esdb://127.0.0.1:${standIn.port}`
  const cases = [
    [
      standIn.urlOf('portal', 'right'),
      'the user portal may not read $all',
      'make grant-event-store USER_NAME=portal ADMIN_URL=esdb://admin:…@host:2113',
    ],
    [
      standIn.urlOf('portal', 'wrong'),
      `${at} is unavailable: EventStoreDB rejects the user or the password in EVENT_STORE_URL (16 UNAUTHENTICATED: Unauthenticated)`,
      'correct the user and the password in EVENT_STORE_URL',
    ],
    [
      `esdb://portal:right@127.0.0.1:${standIn.port}?tlsCAFile=/nowhere/ca.crt`,
      `${at} is unavailable: tlsCAFile in EVENT_STORE_URL names /nowhere/ca.crt, which cannot be read (ENOENT)`,
      'correct the path in EVENT_STORE_URL',
    ],
    [
      'esdb://127.0.0.1:1?tls=false',
      'esdb://127.0.0.1:1 is unavailable: The event store does not answer',
      'start it (make engines-up), or correct EVENT_STORE_URL',
    ],
  ] as const
  for (const [url, says, todo] of cases)
    expect(await failures(url)).toEqual([{ check: 'event store', result: 'fail', says, todo }])
})
