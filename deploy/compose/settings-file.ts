import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSecretFile } from '@portal/platform/files/durable-write'
import { generatePassword } from '@portal/auth/passwords/generate-password'
import { CommandError } from '@portal/ops/command'
import { kafkaLoginNames, type KafkaLoginName, kafkaUsersFile } from './kafka-users.ts'
import { redisUserNames, type RedisUserName, redisUsersFile } from './redis-users.ts'

const newPassword = (): string => randomBytes(24).toString('base64url')

export const redisPasswordSetting = (user: RedisUserName): string => `REDIS_${user.toUpperCase()}_PASSWORD`
export const kafkaPasswordSetting = (user: KafkaLoginName): string => `KAFKA_${user.toUpperCase()}_PASSWORD`

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
  ...Object.fromEntries(redisUserNames.map((user) => [redisPasswordSetting(user), newPassword()])),
  ...Object.fromEntries(kafkaLoginNames.map((user) => [kafkaPasswordSetting(user), newPassword()])),
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

type Settings = Readonly<Record<string, string | undefined>>

const passwordIn = (settings: Settings, setting: string): string => {
  const password = settings[setting]
  if (!password) throw new CommandError(`${setting} is empty in .env: remove the line and run make up`)
  return password
}

/**
 * Writes the users of Redis, with their rights, and those of Kafka. The files are readable because the engines run as other users;
 * the folder is private, which a bind mount ignores.
 */
export const writeEngineUsers = (folder: string, settings: Settings): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const write = (name: string, content: string): void => {
    const file = join(folder, name)
    writeSecretFile(file, content)
    chmodSync(file, 0o644)
  }
  const inRedis = (user: RedisUserName) => passwordIn(settings, redisPasswordSetting(user))
  const inKafka = (user: KafkaLoginName) => passwordIn(settings, kafkaPasswordSetting(user))
  const redisPasswords = {
    auth: inRedis('auth'),
    catalog: inRedis('catalog'),
    notifications: inRedis('notifications'),
    delivery: inRedis('delivery'),
    gateway: inRedis('gateway'),
    ops: inRedis('ops'),
  }
  write('redis-users.acl', redisUsersFile(redisPasswords))
  write('kafka-users.jaas', kafkaUsersFile(inKafka))
}

/** Adds missing settings to the file and returns them. Never changes existing ones. */
export const completeSettings = (path: string): Readonly<Record<string, string>> => {
  // An existing file keeps its mode when it is written.
  if (existsSync(path)) chmodSync(path, 0o600)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : heading
  const set = namesIn(before)
  const added = Object.fromEntries(Object.entries(newSecrets()).filter(([name]) => !set.has(name)))
  if (Object.keys(added).length === 0) return added
  const separator = before === '' || before.endsWith('\n') ? '' : '\n'
  const lines = Object.entries(added).map(([name, value]) => lineOf(name, value))
  writeFileSync(path, before + separator + lines.join(''), { mode: 0o600 })
  return added
}
