import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generatePassword } from '@portal/auth/passwords/generate-password'
import { openSigningKeys } from '@portal/platform/session/signing-keys'
import { newRedisPasswords } from '../compose/settings-file.ts'
import { redisUsersFile } from '../compose/redis-users.ts'

/**
 * `node deploy/kubernetes/new-secrets.ts FOLDER`: writes the files for the secrets in README.md. Never overwrites:
 * without the master key all personal data is unreadable.
 */
export const writeNewSecrets = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const passwords = newRedisPasswords()
  const settings = {
    MASTER_KEY: randomBytes(32).toString('hex'),
    METRICS_TOKEN: randomBytes(24).toString('base64url'),
    ADMIN_EMAIL: 'admin@portal.example',
    ADMIN_PASSWORD: generatePassword(),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, 'portal-secrets.env'), lines.join(''), { mode: 0o600, flag: 'wx' })
  const redisLines = Object.entries(passwords).map(([user, password]) => `${user}=${password}\n`)
  writeFileSync(join(folder, 'redis-passwords.env'), redisLines.join(''), { mode: 0o600, flag: 'wx' })
  writeFileSync(join(folder, 'redis-users.acl'), redisUsersFile(passwords), { mode: 0o600, flag: 'wx' })
  const silent = (): void => undefined // a new file has no problems to report
  openSigningKeys({
    file: join(folder, 'session-keys.json'),
    now: () => new Date(),
    logger: { info: silent, warn: silent },
  })
}

if (import.meta.main) {
  const folder = process.argv[2]
  if (folder === undefined) {
    process.stderr.write('usage: node deploy/kubernetes/new-secrets.ts FOLDER\n')
    process.exitCode = 1
  } else {
    writeNewSecrets(resolve(folder))
    process.stdout.write(
      `Secrets are in ${resolve(folder)}; README.md shows how to create the cluster secrets from them.\n`,
    )
  }
}
