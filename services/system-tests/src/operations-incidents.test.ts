/** @module-tag verify */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder, type PortalProcess, repositoryRoot, seedSample, startPortal } from './testing/portal-process.ts'

const page = await readFile(join(repositoryRoot, 'docs/operations.md'), 'utf8')
/** The commands of each incident, and the lines that follow them in a block of their own. */
const incidents = [...page.matchAll(/^```sh incident\n([\s\S]*?)^```\n\n(?:```text\n([\s\S]*?)^```)?/gm)].map(
  ([, commands = '', printed = '']) => ({ commands, printed: printed.split('\n').filter((line) => line !== '') }),
)

const folder = await newDataFolder()
let portal: PortalProcess
beforeAll(async () => {
  await seedSample(folder.path, 20)
  portal = await startPortal({ dataDir: folder.path })
})
afterAll(async () => {
  await portal?.stop()
  await folder.remove()
})

/** As the operator types them: in the portal's folder, with a shell, and the settings of the portal. */
const follow = async (commands: string): Promise<string> => {
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    ENGINES_DIR: join(folder.path, 'no-engines'),
    DATA_DIR: folder.path,
    BACKUP_DIR: join(folder.path, 'backups'),
  }
  const { stdout } = await promisify(execFile)('sh', ['-euc', commands], { cwd: repositoryRoot, env })
  return stdout
}

const withSingleBlanks = (line: string) => line.replaceAll(/\s+/g, ' ')

/** The page writes `…` for anything, and one blank for any number of them. */
const isLike = (printed: string, line: string): boolean => {
  let rest: string | undefined = withSingleBlanks(printed)
  for (const part of withSingleBlanks(line).split(/ ?… ?/))
    rest = rest?.includes(part) ? rest.slice(rest.indexOf(part) + part.length) : undefined
  return rest !== undefined
}

test('each command of docs/operations.md prints what the page says', { timeout: 240_000 }, async () => {
  expect(incidents.length).toBeGreaterThan(5)
  // The backup is what makes a portal healthy, and the page begins with its health.
  await follow('make backup')
  for (const { commands, printed } of incidents) {
    const lines = (await follow(commands)).split('\n')
    let next = 0
    for (const line of printed) {
      const found = lines.findIndex((candidate, index) => index >= next && isLike(candidate, line))
      expect(found, `${commands} prints “${line}”:\n${lines.join('\n')}`).toBeGreaterThanOrEqual(next)
      next = found + 1
    }
  }
})
