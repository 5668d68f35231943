/** @module-tag verify */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from 'redis'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { engineSettings, isRunning, type KnownEngine, readAddresses } from '@portal/ops/dev-engines/addresses'
import { repositoryRoot } from '@portal/ops/repository-root'
import { docker } from '@portal/engines/docker-cli'

/** Runs `make engines-up` or `make engines-down`. */
const run = (command: 'up' | 'down', folder: string, settings: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, `${command}.ts`)], {
    cwd: repositoryRoot,
    env: { ...process.env, ENGINES_DIR: folder, ...settings },
  })

const kill = async ({ pid, container }: KnownEngine): Promise<void> => {
  if (container !== undefined) await docker('kill', container)
  else if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

const redisAt = async (folder: string) => {
  const { readModel } = await readAddresses(folder)
  if (!readModel) throw new Error('no Redis is known')
  return { known: readModel, client: createClient({ url: readModel.url }).on('error', () => undefined) }
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engines-'))
})

afterEach(async () => {
  await run('down', folder, { CLEAN: '1' })
  await rm(folder, { recursive: true, force: true })
})

it('starts the missing engines, prints their addresses, and stops all of them', { timeout: 180_000 }, async () => {
  const first = await run('up', folder)
  const settings = await engineSettings(folder)
  expect(Object.keys(settings ?? {})).toEqual(['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'])
  for (const [name, url] of Object.entries(settings ?? {})) expect(first.stdout).toMatch(`${name.padEnd(15)} ${url}`)

  expect((await run('up', folder)).stdout).toContain('Already up')
  expect(await engineSettings(folder)).toEqual(settings)

  const before = await redisAt(folder)
  await before.client.connect()
  await before.client.set('kept', 'yes')
  before.client.destroy()
  await kill(before.known)
  await expect.poll(() => engineSettings(folder)).toBeUndefined()

  await run('up', folder)
  // A running portal still has the old address.
  expect(await engineSettings(folder)).toEqual(settings)
  const after = await redisAt(folder)
  await after.client.connect()
  expect(await after.client.get('kept')).toBe('yes')
  after.client.destroy()
  const known = Object.values(await readAddresses(folder)).flatMap((engine) => engine ?? [])
  expect(known).toHaveLength(3)

  await run('down', folder)
  expect(await Promise.all(known.map(isRunning))).toEqual([false, false, false])
  expect(await engineSettings(folder)).toBeUndefined()
  expect(existsSync(folder)).toBe(true)

  await run('up', folder)
  expect(await engineSettings(folder)).toEqual(settings)
})

it('names an address in use, and starts no engine on another port', { timeout: 180_000 }, async () => {
  await run('up', folder)
  const settings = await engineSettings(folder)
  await run('down', folder)
  const { port } = new URL(settings?.['READ_MODEL_URL'] ?? '')
  const other = createServer().listen(Number(port), '127.0.0.1')
  await once(other, 'listening')
  try {
    await expect(run('up', folder)).rejects.toMatchObject({
      stderr: expect.stringContaining(`Redis cannot start: another process uses its port ${port}`),
    })
  } finally {
    other.close()
  }
  expect(await engineSettings(folder)).toBeUndefined()
})
