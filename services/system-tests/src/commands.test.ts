/** @module-tag verify */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sampleBackup } from '@portal/platform/testing/backup/sample-backup'
import { afterEach, expect, test } from 'vitest'
import { logIn, userIdsByEmail } from './testing/api-client.ts'
import {
  admin,
  newDataFolder,
  nodeBinary,
  repositoryRoot,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/** The commands as an operator sees them, in success and failure. */
const cleanUps: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})
const dataDirectory = async () => {
  const folder = await newDataFolder()
  cleanUps.push(folder.remove)
  return folder.path
}

/** Runs the portal with invalid settings. */
const refused = (settings: Record<string, string>, script = 'services/standalone/src/main.ts') => {
  const { NODE_ENV: _nodeEnv, VITEST: _vitest, ...inherited } = process.env
  const { status, stderr, stdout } = spawnSync(nodeBinary, [join(repositoryRoot, script)], {
    cwd: repositoryRoot,
    env: { ...inherited, ...settings },
    timeout: 20_000,
    encoding: 'utf8',
  })
  return { status, lines: stderr.trim().split('\n'), stdout }
}

test('the very first start prints the admin’s password once, and stores only a hash of it', async () => {
  const dataDir = await dataDirectory()
  const generated = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }
  const first = await startPortal({ dataDir, settings: generated })
  const email = /[\w.+-]+@[\w.-]+/.exec(first.output())?.[0] ?? ''
  const password = /password\W+(\S+)/i.exec(first.output())?.[1] ?? ''
  expect(password.length).toBeGreaterThanOrEqual(12)
  await logIn(first.address, email, password)
  expect(await first.stop()).toBe(0)

  const second = await startPortal({ dataDir, settings: generated })
  expect(second.output()).not.toContain(password)
  await logIn(second.address, email, password)
  await second.stop()
  for (const file of ['events.db', 'read-models.db'])
    expect((await readFile(join(dataDir, file)).catch(() => Buffer.alloc(0))).includes(password)).toBe(false)
})

test('a start without data, but with backups, changes nothing and says what to do; with another BACKUP_DIR it is a new portal', async () => {
  const dataDir = await dataDirectory()
  const backup = await sampleBackup(1)
  cleanUps.push(backup.remove)
  const { status, lines } = refused({ DATA_DIR: dataDir, BACKUP_DIR: backup.folder, PORT: '0' })
  expect([status, lines]).toEqual([1, [expect.stringContaining(`run make restore FROM=${backup.file}`)]])
  expect(await readdir(dataDir)).toEqual([])
  const portal = await startPortal({ dataDir, settings: { BACKUP_DIR: join(dataDir, 'backups') } })
  expect(await portal.stop()).toBe(0)
})

test('ADMIN_EMAIL and ADMIN_PASSWORD make the first admin', async () => {
  const portal = await startPortal({ dataDir: await dataDirectory() })
  cleanUps.push(portal.stop)
  const { email } = await logIn(portal.address, admin.email, admin.password)
  expect(email).toBe(admin.email)
})

test('a busy port ends with one clear line', async () => {
  const server = createServer().listen(0)
  await once(server, 'listening')
  cleanUps.push(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const { status, lines } = refused({ PORT: port, DATA_DIR: await dataDirectory() })
  expect(status).not.toBe(0)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(port)
})

test('a data folder that is a file, or cannot be written, ends with one clear line', async () => {
  const folder = await dataDirectory()
  const file = join(folder, 'file')
  await writeFile(file, '')
  const sealed = join(folder, 'sealed')
  await mkdir(sealed)
  await chmod(sealed, 0o500)
  const isRoot = process.getuid?.() === 0 // to whom every folder is open
  for (const dataDir of isRoot ? [join(file, 'data')] : [join(file, 'data'), sealed]) {
    const { status, lines } = refused({ DATA_DIR: dataDir, PORT: '0' })
    expect(status).not.toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(dataDir)
  }
})

test('a malformed setting ends with one clear line that names it', async () => {
  const dataDir = await dataDirectory()
  for (const [name, value] of [
    ['PORT', 'eighty'],
    ['EVENT_STORE_URL', 'mongodb://somewhere'],
    ['BUS_URL', 'nonsense'],
    ['READ_MODEL_URL', 'ftp://x'],
    ['ADMIN_PASSWORD', 'short'],
  ] as const) {
    const { status, lines } = refused({ DATA_DIR: dataDir, [name]: value })
    expect([status === 0, lines]).toEqual([false, [expect.stringContaining(name)]])
  }
})

test('a second portal and seed reject a data folder in use in one line', async () => {
  const dataDir = await dataDirectory()
  const portal = await startPortal({ dataDir })
  cleanUps.push(portal.stop)
  for (const script of ['services/standalone/src/main.ts', 'services/ops/src/seed.ts']) {
    const { status, lines } = refused({ DATA_DIR: dataDir, PORT: '0', LEARNERS: '3' }, script)
    expect(status).not.toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/in use|another process/i)
  }
})

test('seeding a thousand learners takes seconds, and a repetition adds none', async () => {
  const dataDir = await dataDirectory()
  await seedLearners(dataDir, 1_000)
  const password = await seedLearners(dataDir, 1_000) // the one printed last is everybody's
  const portal = await startPortal({ dataDir })
  cleanUps.push(portal.stop)
  const { token } = await logIn(portal.address, admin.email, admin.password)
  const emails = [...(await userIdsByEmail(portal.address, token)).keys()].filter((email) =>
    email.startsWith('learner-'),
  )
  expect(emails).toHaveLength(1_000)
  for (const email of ['learner-0001@example.com', 'learner-1000@example.com'])
    expect((await logIn(portal.address, email, password)).email).toBe(email)
})

test('SIGTERM and SIGINT stop the portal with exit code 0', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const portal = await startPortal({ dataDir: await dataDirectory() })
    portal.child.kill(signal)
    const [code] = await once(portal.child, 'exit')
    expect(code).toBe(0)
  }
})

test('make help lists the targets', async () => {
  const output = await new Promise<string>((resolve, reject) =>
    execFile('make', ['help'], { cwd: repositoryRoot }, (error, stdout) => (error ? reject(error) : resolve(stdout))),
  )
  for (const target of ['run', 'test', 'check', 'seed', 'bench'])
    expect(output).toMatch(new RegExp(`^\\s*(make )?${target}\\b`, 'm'))
})
