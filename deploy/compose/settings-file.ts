import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { deriveKeys } from '@portal/platform/personal-data/master-key'
import { writeSecretFile } from '@portal/platform/files/durable-write'
import { generatePassword } from '@portal/auth/passwords/generate-password'
import { CommandError } from '@portal/ops/command'
import { type RedisUserName, redisUsersFile } from './redis-users.ts'

const newPassword = (): string => randomBytes(24).toString('base64url')

const passwordSetting = (user: string): string => `REDIS_${user.toUpperCase()}_PASSWORD`
export const redisPasswordSetting = (user: RedisUserName): string => passwordSetting(user)

export const newRedisPasswords = (): Readonly<Record<RedisUserName, string>> => ({
  auth: newPassword(),
  catalog: newPassword(),
  notifications: newPassword(),
  delivery: newPassword(),
  gateway: newPassword(),
  ops: newPassword(),
})

const adminEmail = 'admin@portal.example'

/** Secrets that are unique to a portal. */
const newSecrets = (): Readonly<Record<string, string>> => ({
  MASTER_KEY: randomBytes(32).toString('hex'),
  ...Object.fromEntries(
    Object.entries(newRedisPasswords()).map(([user, password]) => [passwordSetting(user), password]),
  ),
  METRICS_TOKEN: newPassword(),
  ADMIN_EMAIL: adminEmail,
  ADMIN_PASSWORD: generatePassword(),
})

const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.split('\n').flatMap((line) => /^\s*([A-Z][A-Z0-9_]*)=\S/.exec(line)?.[1] ?? []))

// Single quotes stop Compose from expanding a $ in a generated password.
const lineOf = (name: string, value: string): string => `${name}='${value}'\n`

const heading = `# Made by \`make up\`; read by docker compose. Keep it, and keep it secret: without MASTER_KEY all names and email addresses
# become unreadable. ADMIN_PASSWORD is used only on the very first start.
`

/** For processes that decrypt no personal data: the master key cannot be derived from it. */
export const indexKeyOf = (masterKey: string): string =>
  Buffer.from(deriveKeys(Buffer.from(masterKey, 'hex')).index).toString('hex')

/**
 * Writes the users of Redis and their rights. The file is readable because Redis runs as another user; the folder is
 * private, which a bind mount ignores.
 */
export const writeRedisUsers = (folder: string, settings: Readonly<Record<string, string | undefined>>): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const passwordOf = (user: RedisUserName): string => {
    const password = settings[redisPasswordSetting(user)]
    if (!password)
      throw new CommandError(`${redisPasswordSetting(user)} is empty in .env: remove the line and run make up`)
    return password
  }
  const passwords = {
    auth: passwordOf('auth'),
    catalog: passwordOf('catalog'),
    notifications: passwordOf('notifications'),
    delivery: passwordOf('delivery'),
    gateway: passwordOf('gateway'),
    ops: passwordOf('ops'),
  }
  const file = join(folder, 'redis-users.acl')
  writeSecretFile(file, redisUsersFile(passwords))
  chmodSync(file, 0o644)
}

/** Adds missing settings to the file and returns them. Never changes existing ones. */
export const completeSettings = (path: string): Readonly<Record<string, string>> => {
  // An existing file keeps its mode when it is written.
  if (existsSync(path)) chmodSync(path, 0o600)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : heading
  const set = namesIn(before)
  const made = Object.fromEntries(Object.entries(newSecrets()).filter(([name]) => !set.has(name)))
  const masterKey = made['MASTER_KEY'] ?? parseEnv(before)['MASTER_KEY'] ?? ''
  const added = { ...made, ...(set.has('INDEX_KEY') ? {} : { INDEX_KEY: indexKeyOf(masterKey) }) }
  if (Object.keys(added).length === 0) return added
  const separator = before === '' || before.endsWith('\n') ? '' : '\n'
  const lines = Object.entries(added).map(([name, value]) => lineOf(name, value))
  writeFileSync(path, before + separator + lines.join(''), { mode: 0o600 })
  return added
}
