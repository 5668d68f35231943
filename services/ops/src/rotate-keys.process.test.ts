import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataFiles } from '@portal/platform/files/data-folder'
import { expect, it, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('./rotate-keys.ts', import.meta.url))

it('reports a damaged key file in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rotate-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { sessionKeys } = dataFiles(folder)
  writeFileSync(sessionKeys, '{ "keys": [')
  const { NODE_ENV: _nodeEnv, VITEST: _vitest, ...inherited } = process.env
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { ...inherited, DATA_DIR: folder } }, (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout, stderr }),
    )
  })
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: `${sessionKeys} does not hold session keys: restore it, or remove it to have everyone log in again\n`,
  })
}, 30_000)
