import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { generatePassword } from '@portal/auth/passwords/generate-password'

const adminEmail = 'admin@portal.example'

/** What a portal needs that no other one may have. */
const newSecrets = (): Readonly<Record<string, string>> => ({
  MASTER_KEY: randomBytes(32).toString('hex'),
  REDIS_PASSWORD: randomBytes(24).toString('base64url'),
  METRICS_TOKEN: randomBytes(24).toString('base64url'),
  ADMIN_EMAIL: adminEmail,
  ADMIN_PASSWORD: generatePassword(),
})

const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.split('\n').flatMap((line) => /^\s*([A-Z][A-Z0-9_]*)=\S/.exec(line)?.[1] ?? []))

// Single quotes keep Compose from reading a $ of a generated password as the name of a variable.
const lineOf = (name: string, value: string): string => `${name}='${value}'\n`

const heading = `# Made by \`make up\`; read by docker compose. Keep it, and keep it secret: without MASTER_KEY nobody's name or e-mail address
# can be read any more. The first admin's password counts on the very first start only.
`

/** Adds to the file what it does not set yet, and says what that was. What is set is never changed. */
export const completeSettings = (path: string): Readonly<Record<string, string>> => {
  // A file that was there keeps the mode that it was made with.
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
