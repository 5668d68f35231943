/** @module-tag verify */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from './testing/portal-process.ts'

/** Made and removed by the drill itself. */
const drillFolder = join(repositoryRoot, 'drill')
const page = await readFile(join(repositoryRoot, 'docs/backup.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh drill\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands)

const removeDrill = () => rm(drillFolder, { recursive: true, force: true })
beforeAll(removeDrill)
afterAll(removeDrill)

/** Runs the commands as a person types them: in the portal's folder, with a shell, and no settings but those of the page. */
const follow = async (commands: string): Promise<string> => {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, ENGINES_DIR: join(drillFolder, 'no-engines') }
  const { stdout } = await promisify(execFile)('sh', ['-euc', commands], { cwd: repositoryRoot, env })
  return stdout
}

test('the drill of docs/backup.md works word for word', { timeout: 240_000 }, async () => {
  const outputs: string[] = []
  for (const block of blocks) outputs.push(await follow(block))
  const outputOf = (command: string) => outputs[blocks.findIndex((block) => block.includes(command))] ?? ''
  expect(outputOf('make backup ')).toMatch(
    /The master key is not in the backup\. Keep a separate copy of \S+\/drill\/data\/master\.key/,
  )
  expect(outputOf('make backup-check')).toMatch(/[\d,]+ events, \d+ read models, all equal, /)
  expect(outputOf('make restore')).toMatch(/\d+ events?, \d+ read models? rebuilt, all equal, /)
  expect(outputOf('make events')).toContain('BackupRestored')
  expect(existsSync(drillFolder)).toBe(false)
})
