import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataFiles } from '@portal/platform/files/data-folder'
import { securityLogFile } from '@portal/platform/security-log/open-security-log'
import { createLogger } from '@portal/platform/observability/logger'
import { openSigningKeys } from '@portal/platform/session/signing-keys'
import { expect, it, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('./rotate-keys.ts', import.meta.url))

const dataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'rotate-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const rotateKeys = (folder: string, ...args: readonly string[]): Promise<unknown> => {
  const { NODE_ENV: _nodeEnv, VITEST: _vitest, ...inherited } = process.env
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...args],
      { env: { ...inherited, DATA_DIR: folder } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

it('names the portal, and records who ran it in the security log', async () => {
  const folder = dataFolder()
  const file = dataFiles(folder).sessionKeys
  openSigningKeys({ file, now: () => new Date(), logger: createLogger({ level: 'silent' }) })
  expect(await rotateKeys(folder, '--forget')).toEqual({
    code: 0,
    stdout: `Portal: one process, in ${folder}\nNew sessions use a new key. All users have to log in again.\n`,
    stderr: '',
  })
  const recorded = { event: 'operation-run', result: 'ok', operator: expect.any(String), target: 'SessionKeysReplaced' }
  expect(JSON.parse(readFileSync(securityLogFile(folder, 'portal'), 'utf8'))).toMatchObject(recorded)
}, 30_000)

it('reports a damaged key file in one line', async () => {
  const folder = dataFolder()
  const { sessionKeys } = dataFiles(folder)
  writeFileSync(sessionKeys, '{ "keys": [')
  expect(await rotateKeys(folder)).toEqual({
    code: 1,
    stdout: `Portal: one process, in ${folder}\n`,
    stderr: `${sessionKeys} does not hold session keys: restore it, or remove it to have everyone log in again\n`,
  })
}, 30_000)
