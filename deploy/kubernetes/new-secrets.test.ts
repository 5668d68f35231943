import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { openKeyRing } from '@portal/platform/http/key-ring'
import { loadConfig } from '@portal/platform/runtime/config'
import { createLogger } from '@portal/platform/runtime/logger'
import { expect, it } from 'vitest'
import { writeNewSecrets } from './new-secrets.ts'

it('makes what the processes take, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  writeNewSecrets(folder)
  const text = readFileSync(join(folder, 'portal-secrets.env'), 'utf8')
  expect(loadConfig(parseEnv(text)).masterKey).toHaveLength(32)
  const ring = openKeyRing({
    file: join(folder, 'session-keys.json'),
    now: () => new Date(),
    logger: createLogger({ level: 'silent' }),
  })
  expect(ring.jwks().keys).toHaveLength(1)

  expect(() => writeNewSecrets(folder)).toThrow('EEXIST')
  expect(readFileSync(join(folder, 'portal-secrets.env'), 'utf8')).toBe(text)
  rmSync(folder, { recursive: true })
})
