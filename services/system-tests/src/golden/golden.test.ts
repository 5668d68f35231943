import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { send } from '../testing/api-client.ts'
import { createOperator, deadLettersSchema } from '../testing/operator.ts'
import { type PortalProcess, repositoryRoot, startPortal } from '../testing/portal-process.ts'
import { eventSchemas, eventTypes, newerEventTypes } from './event-schemas.ts'
import { copyGoldenData, type GoldenFolder, goldenFolders, loadExpectations, servedAnswers } from './golden-folder.ts'
import { readLog, rebuildDigests } from './rebuild.ts'

/** Data of every release opens, serves and replays as it did. golden/README.md says how a folder is made. */
const folders = goldenFolders()
const mostBytes = 1024 * 1024

const copyOf = (folder: GoldenFolder): string => {
  const copy = copyGoldenData(folder)
  onTestFinished(copy.remove)
  return copy.path
}

const typesIn = async (folder: GoldenFolder): Promise<ReadonlySet<string>> =>
  new Set((await readLog(join(copyOf(folder), 'events.db'))).map(({ type }) => type))

const replayedSchema = z.object({
  step: z.literal('done'),
  results: z.array(
    z.object({ projection: z.string(), outcome: z.string(), compared: z.number(), differences: z.array(z.unknown()) }),
  ),
})

describe('the newest golden folder', () => {
  test('knows every file that declares recorded events', () => {
    const declaring = globSync('*/src/*/events.ts', { cwd: join(repositoryRoot, 'services') })
    expect(Object.keys(eventSchemas)).toEqual(expect.arrayContaining(declaring))
  })

  test('has every event type that this release records', async () => {
    const newest = folders.at(-1)
    if (newest === undefined) throw new Error('There is no golden folder')
    const recorded = await typesIn(newest)
    const missing = eventTypes.filter((type) => !recorded.has(type) && !newerEventTypes.includes(type))
    expect(
      missing,
      'types missing from the newest golden log: add them to newerEventTypes (event-schemas.ts) and a step to drive-*.ts',
    ).toEqual([])
    expect(newerEventTypes.filter((type) => recorded.has(type))).toEqual([])
  })
})

describe.each(folders)('the data of release $release', (folder) => {
  const expected = loadExpectations(folder)

  test('is small', () => {
    const files = globSync('**/*', { cwd: folder.dataDir }).map((name) => statSync(join(folder.dataDir, name)))
    expect(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)).toBeLessThan(mostBytes)
  })

  test('leads to the same read models', async () => {
    const logFile = join(copyOf(folder), 'events.db')
    expect(await readLog(logFile)).toHaveLength(expected.events)
    const rebuilt = await rebuildDigests(logFile)
    for (const [projection, partitions] of Object.entries(rebuilt)) {
      expect(
        partitions,
        `${projection} makes something else of recorded events: raise its version, then see golden/README.md`,
      ).toEqual(expected.readModels[projection])
    }
  })

  test('is served as it was, before and after a replay that finds no difference', async () => {
    const dataDir = copyOf(folder)
    const settings = { SEEN_GRACE_MS: '300' }
    const portal: PortalProcess = await startPortal({ dataDir, settings })
    onTestFinished(async () => void (await portal.stop()))
    expect(await servedAnswers(portal.address, expected)).toEqual(expected.served)
    const { email: personalEmail, password } = expected.erased
    expect(await send(portal.address, 'POST', '/auth/login', { body: { personalEmail, password } })).toMatchObject({
      status: 401,
    })

    const operator = createOperator({ dataDir, settings })
    expect((await operator.json(deadLettersSchema, 'dead-letters', { P: 'inbox' })).count).toBe(1)
    const { code, stdout } = await operator.command('replay', { JSON: '1' })
    const { results } = replayedSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}'))
    expect(results.filter(({ outcome }) => outcome !== 'switched')).toEqual([])
    expect(results.find(({ projection }) => projection === 'inbox')?.compared).toBeGreaterThan(3)
    expect(code).toBe(0)
    expect(await servedAnswers(portal.address, expected)).toEqual(expected.served)
  })
})
