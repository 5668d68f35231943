import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { loadConfig } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { openSigningKeys } from '@portal/platform/session/signing-keys'
import { expect, it } from 'vitest'
import { redisUserNames } from '../compose/redis-users.ts'
import { writeNewSecrets } from './new-secrets.ts'

it('creates valid secrets, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  writeNewSecrets(folder)
  const text = readFileSync(join(folder, 'portal-secrets.env'), 'utf8')
  expect(loadConfig(parseEnv(text)).masterKey).toHaveLength(32)
  const users = readFileSync(join(folder, 'redis-users.acl'), 'utf8')
  const passwords = parseEnv(readFileSync(join(folder, 'redis-passwords.env'), 'utf8'))
  expect(Object.keys(passwords).toSorted()).toEqual(redisUserNames.toSorted())
  for (const [user, password] of Object.entries(passwords)) {
    const hash = createHash('sha256')
      .update(password ?? '')
      .digest('hex')
    expect(users).toContain(`user ${user} on #${hash} `)
  }
  const ring = openSigningKeys({
    file: join(folder, 'session-keys.json'),
    now: () => new Date(),
    logger: createLogger({ level: 'silent' }),
  })
  expect(ring.jwks().keys).toHaveLength(1)

  expect(() => writeNewSecrets(folder)).toThrow('EEXIST')
  expect(readFileSync(join(folder, 'portal-secrets.env'), 'utf8')).toBe(text)
  rmSync(folder, { recursive: true })
})
