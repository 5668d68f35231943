/** @module-tag verify */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('./seed.ts', import.meta.url))

const asRootOfMounts = ['--map-root-user', '--mount']
const canMount = spawnSync('unshare', [...asRootOfMounts, 'true']).status === 0

/** The output of the command on a separate folder. */
const seed = async (
  settings: Readonly<Record<string, string>>,
  [file, ...args]: readonly [string, ...string[]] = [process.execPath, script],
) => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { NODE_ENV: _nodeEnv, VITEST: _vitest, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: folder, LEARNERS: '', SAMPLE: '', ...settings }
  return new Promise<{ readonly code: number; readonly lines: readonly string[] }>((resolve) => {
    execFile(file, args, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), lines: `${stdout}${stderr}`.trimEnd().split('\n') }),
    )
  })
}

it('fills a folder with data for every screen, and prints one password', async () => {
  const { code, lines } = await seed({ LEARNERS: '6' })
  expect(lines).toEqual([
    '6 learners, learner-0001@example.com to learner-0006@example.com',
    '1 faculty member, faculty@example.com',
    '4 programs, 5 enrollments',
    expect.stringMatching(/^19 notifications sent, read \d+ times$/),
    expect.stringMatching(/^Password: \S{12,}$/),
    '',
    expect.stringMatching(/^Now: make run DATA_DIR=\S+$/),
  ])
  expect(code).toBe(0)
}, 30_000)

it('creates only learners with SAMPLE=0', async () => {
  const { lines } = await seed({ LEARNERS: '2', SAMPLE: '0' })
  expect(lines).toEqual([
    '2 learners, learner-0001@example.com to learner-0002@example.com',
    expect.stringMatching(/^Password: \S{12,}$/),
    '',
    expect.stringMatching(/^Now: make run DATA_DIR=\S+$/),
  ])
}, 30_000)

// The log does not fit into the first size; with the second, the disk is full while the projections catch up.
it.skipIf(!canMount).each(['3m', '8m'])(
  'says that a disk of %s is full, and completes the data once it has room',
  async (size) => {
    const commands = `
      set -e
      mount -t tmpfs -o size=${size} tmpfs "$DATA_DIR"
      "$@" && exit 1
      mount -o remount,size=512m "$DATA_DIR"
      exec "$@"`
    const inShell = ['unshare', ...asRootOfMounts, 'sh', '-c', commands, 'sh', process.execPath, script] as const
    const { code, lines } = await seed({ LEARNERS: '300' }, inShell)
    expect(lines).toEqual([
      expect.stringMatching(
        /^300 learners, learner-0001@example.com to learner-0300@example.com \(\d+ existed already\)$/,
      ),
      '1 faculty member, faculty@example.com',
      '4 programs, 210 enrollments',
      expect.stringMatching(/^(19 notifications sent, read \d+ times|Notifications were sent earlier)$/),
      expect.stringMatching(/^Password: \S{12,}$/),
      '',
      expect.stringMatching(/^Now: make run DATA_DIR=\S+$/),
      expect.stringMatching(/^The disk of \S+ is full: free some space, then run the command again$/),
    ])
    expect(code).toBe(0)
  },
  60_000,
)

it.each([
  [
    { NODE_ENV: 'production' },
    'make seed is not allowed with NODE_ENV=production, because its accounts share one password',
  ],
  [{ SAMPLE: 'no' }, 'SAMPLE must be 1, or 0 for learners only, not "no"'],
  [{ LEARNERS: '0' }, 'LEARNERS must be a whole number from 1 to 100000, not "0"'],
])(
  '%j is refused in one line',
  async (settings, line) => {
    expect(await seed(settings)).toEqual({ code: 1, lines: [line] })
  },
  30_000,
)
