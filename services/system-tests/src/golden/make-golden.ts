import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { golden } from './drive-accounts.ts'
import {
  copyGoldenData,
  type Expectations,
  type GoldenFolder,
  goldenFolder,
  loadExpectations,
  servedAnswers,
} from './golden-folder.ts'
import { readLog, rebuildDigests } from './rebuild.ts'
import { quickly, recordEveryEvent, withPortal } from './record-every-event.ts'

/** Everything else in the folder is of the machine and the process that made it. */
const kept = new Set([
  'events.db',
  'user-keys.db',
  'master.key',
  'session-keys.json',
  'read-models',
  'ledger',
  'erasures.jsonl',
])

const write = async ({ expectationsFile }: GoldenFolder, expectations: Expectations): Promise<void> =>
  writeFileSync(expectationsFile, await format(JSON.stringify(expectations), { parser: 'json', printWidth: 120 }))

const make = async (folder: GoldenFolder): Promise<void> => {
  const { release, dataDir } = folder
  if (existsSync(dataDir)) throw new Error(`${dataDir} exists: a golden folder is never made again`)
  mkdirSync(dataDir, { recursive: true })
  await recordEveryEvent(dataDir)
  const { admin, reader, deviceOwner, newcomer, erased } = golden
  const accounts = { admin, learners: [reader, deviceOwner, newcomer] }
  const served = await withPortal(dataDir, quickly, ({ address }) => servedAnswers(address, accounts))
  for (const name of readdirSync(dataDir)) {
    if (!kept.has(name)) rmSync(join(dataDir, name), { recursive: true })
  }
  const { readModels, events } = await lookAtLog(folder)
  await write(folder, { release, events, readModels, ...accounts, erased, served })
}

/** Reads a copy: SQLite leaves files beside what it has open. */
const lookAtLog = async (folder: GoldenFolder) => {
  const copy = copyGoldenData(folder)
  try {
    const logFile = join(copy.path, 'events.db')
    return { readModels: await rebuildDigests(logFile), events: (await readLog(logFile)).length }
  } finally {
    copy.remove()
  }
}

/** Adds the digests of projections whose version is newer than the folder. Digests that it has stay as they are. */
const addDigests = async (folder: GoldenFolder): Promise<void> => {
  const expectations = loadExpectations(folder)
  const { readModels } = await lookAtLog(folder)
  await write(folder, { ...expectations, readModels: { ...readModels, ...expectations.readModels } })
}

const [task, release] = process.argv.slice(2)
if (release === undefined || !/^\d+\.\d+\.\d+$/.test(release) || (task !== 'make' && task !== 'add-digests')) {
  process.stderr.write('usage: node make-golden.ts make|add-digests RELEASE\n')
  process.exit(1)
}
await (task === 'make' ? make : addDigests)(goldenFolder(release))
process.exit()
