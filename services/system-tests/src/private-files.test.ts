/** @module-tag verify */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually, newDataFolder, type PortalProcess, startPortal } from './testing/portal-process.ts'

const lineSchema = z.record(z.string(), z.string())
let folder: Awaited<ReturnType<typeof newDataFolder>>
let portal: PortalProcess

/** Makes a folder as an operator does by hand, with a readable file as an earlier release left it. */
beforeAll(async () => {
  folder = await newDataFolder()
  chmodSync(folder.path, 0o755)
  mkdirSync(join(folder.path, 'read-models'))
  chmodSync(join(folder.path, 'read-models'), 0o755)
  writeFileSync(join(folder.path, 'outbox.jsonl'), '')
  chmodSync(join(folder.path, 'outbox.jsonl'), 0o644)
  portal = await startPortal({ dataDir: folder.path, settings: { LOG_LEVEL: 'silent' } })
}, 60_000)
afterAll(async () => {
  await portal.stop()
  await folder.remove()
})

it('makes everything in the data folder private, also files that were readable', () => {
  const paths = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
  expect(paths).toEqual(expect.arrayContaining(['events.db', 'outbox.jsonl', join('read-models', 'control.db')]))
  const open = paths.filter((path) => (statSync(join(folder.path, path)).mode & 0o077) !== 0)
  expect(open).toEqual([])
})

it('logs the address of a failed login, also with LOG_LEVEL=silent', async () => {
  const personalEmail = 'nobody.known@example.com'
  const password = 'Wrong-guess-1'
  const answer = await fetch(`${portal.address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'system-test/1' },
    body: JSON.stringify({ personalEmail, password }),
  })
  expect(answer.status).toBe(401)
  const file = join(folder.path, 'security.attempts.log')
  const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  const linesOf = () =>
    text()
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => lineSchema.parse(JSON.parse(line)))
  await eventually('the line of the log-in', () => linesOf().some(({ route }) => route === '/auth/login'))
  expect(linesOf()).toContainEqual(
    expect.objectContaining({
      log: 'security',
      result: 'refused',
      code: 'unauthenticated',
      address: '127.0.0.1',
      userAgent: 'system-test/1',
      requestId: answer.headers.get('x-request-id'),
    }),
  )
  expect(text()).not.toContain(personalEmail)
  expect(text()).not.toContain(password)
})
