/** @module-tag verify */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('./seed.ts', import.meta.url))

/** The output of the command on a separate folder. */
const seed = async (settings: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { NODE_ENV: _nodeEnv, VITEST: _vitest, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: folder, LEARNERS: '', SAMPLE: '', ...settings }
  return new Promise<{ readonly code: number; readonly lines: readonly string[] }>((resolve) => {
    execFile(process.execPath, [script], { env }, (error, stdout, stderr) =>
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
