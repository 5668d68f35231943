import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Formats that only secrets have. Words such as "password" are excluded, because forms and tests contain them. */
const secretForms: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
  'private JWK': /"d"\s*:\s*"[\w-]{40,}"/,
  'AWS access key': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  'Google API key': /\bAIza[\w-]{35}\b/,
  'GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})\b/,
  'GitLab token': /\bglpat-[\w-]{20,}\b/,
  'npm token': /\bnpm_[A-Za-z0-9]{36}\b/,
  'Slack token': /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  'Stripe key': /\b[rs]k_live_[A-Za-z0-9]{20,}/,
  'SendGrid key': /\bSG\.[\w-]{20,}\.[\w-]{40,}/,
  'signed token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{40,}/,
  'key of 256 bits': /^\s*[0-9a-f]{64}\s*$|(?:KEY|SECRET|TOKEN)\w*\s*[=:]\s*['"]?[0-9a-f]{32,}/im,
}

/** The kinds of secrets in a text. */
const secretsIn = (text: string): readonly string[] =>
  Object.entries(secretForms).flatMap(([kind, form]) => (form.test(text) ? [kind] : []))

const hex = (chars: number): string => 'a1'.repeat(chars / 2)

it('a possible secret is found by its form', () => {
  const secrets = [
    ['private key', `-----BEGIN ${'EC PRIVATE'} KEY-----`],
    ['private JWK', `{"kty":"EC","d":"${'x'.repeat(43)}"}`],
    ['AWS access key', `AKIA${'A'.repeat(16)}`],
    ['Google API key', `AIza${'a'.repeat(35)}`],
    ['GitHub token', `ghp_${'a'.repeat(36)}`],
    ['npm token', `//registry.npmjs.org/:_authToken=npm_${'a'.repeat(36)}`],
    ['signed token', `eyJ${'a'.repeat(20)}.eyJ${'a'.repeat(20)}.${'a'.repeat(43)}`],
    ['key of 256 bits', `MASTER_KEY=${hex(64)}`],
    ['key of 256 bits', `${hex(64)}\n`],
  ] as const
  expect(secrets.map(([, text]) => secretsIn(text))).toEqual(secrets.map(([kind]) => [kind]))
  const others = [
    'MASTER_KEY must be 32 bytes',
    'MASTER_KEY: ${MASTER_KEY:?is made by make up}',
    "password: 'Passw0rd!'",
  ]
  expect(others.flatMap(secretsIn)).toEqual([])
})

describe('the repository', () => {
  /** Keys of test data, which protect nothing else. */
  const testData = [
    'services/platform/testing/outbound/fcm/certificate.ts',
    'services/platform/testing/outbound/web-push/certificate.ts',
    'services/system-tests/golden/',
  ]
  const maxBytes = 2 * 1024 * 1024
  const root = fileURLToPath(new URL('../../../..', import.meta.url))

  it('contains no secret', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
    expect(tracked.length).toBeGreaterThan(1_000)
    const found = tracked.flatMap((path) => {
      const size = statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0
      if (size === 0 || size > maxBytes || testData.some((known) => path.startsWith(known))) return []
      return secretsIn(readFileSync(join(root, path), 'latin1')).map((kind) => `${path}: ${kind}`)
    })
    expect(found).toEqual([])
  })
})
