import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'prettier'
import { logIn } from '../testing/api-client.ts'
import { createOperator, deadLettersSchema } from '../testing/operator.ts'
import { type Environment, eventually, type PortalProcess, startPortal } from '../testing/portal-process.ts'
import { driveAddresses, driveNewcomer, golden, registerInVain } from './drive-accounts.ts'
import { driveCatalog } from './drive-catalog.ts'
import { driveNotifications } from './drive-notifications.ts'
import {
  copyGoldenData,
  type Expectations,
  type GoldenFolder,
  goldenFolder,
  loadExpectations,
  servedAnswers,
} from './golden-folder.ts'
import { readLog, rebuildDigests } from './rebuild.ts'
import { eraseUser, recordCopies, recordUnapplicableEvent, seedAtFormerCost } from './record-offline.ts'

const quickly = { SEEN_GRACE_MS: '300' }
const noMailServer = { SMTP_URL: 'smtp://127.0.0.1:1' }
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

const withPortal = async <T>(
  dataDir: string,
  settings: Environment,
  work: (portal: PortalProcess) => Promise<T>,
): Promise<T> => {
  const portal = await startPortal({ dataDir, settings })
  try {
    return await work(portal)
  } finally {
    await portal.stop()
  }
}

/** Records every event type that a portal records, each by what an operator or a user does. */
const record = async (dataDir: string): Promise<void> => {
  const backups = mkdtempSync(join(tmpdir(), 'golden-backups-'))
  const operator = createOperator({ dataDir, settings: { BACKUP_DIR: backups } })
  const run = async (command: Parameters<typeof operator.command>[0], settings: Environment, code = 0) => {
    const outcome = await operator.command(command, settings)
    if (outcome.code !== code) throw new Error(`make ${command} ended with ${outcome.code}: ${outcome.stderr}`)
  }
  await withPortal(dataDir, noMailServer, (portal) => registerInVain({ portal, dataDir }))
  await seedAtFormerCost(dataDir)
  const people = await withPortal(dataDir, quickly, async (portal) => {
    const { address } = portal
    const newcomer = await driveNewcomer({ portal, dataDir })
    const signIn = ({ email, password }: typeof golden.reader) => logIn(address, email, password)
    const [admin, reader, deviceOwner, erased] = [
      await signIn(golden.admin),
      await signIn(golden.reader),
      await signIn(golden.deviceOwner),
      await signIn(golden.erased),
    ]
    const notices = await driveCatalog(address, admin, reader)
    await driveAddresses({ portal, dataDir })
    await driveNotifications(address, { admin, reader, deviceOwner, erased, notices })
    return { newcomer, admin, reader, deviceOwner, erased }
  })
  await run('admin', { EMAIL: golden.promoted.email, REASON: 'golden folder' })
  await run('backup', {})
  await run('backup-check', {})
  await eraseUser(dataDir, people.erased.userId)
  await run('backup-forget', {})
  await run('scavenge', {})
  rmSync(backups, { recursive: true })
  await recordCopies(dataDir)
  await recordUnapplicableEvent(
    dataDir,
    Object.values(people).map(({ userId }) => userId),
  )
  await run('events', { STREAM: `user-${people.reader.userId}`, UNMASK: '1', REASON: 'golden folder' })
  await run('replay', { P: 'universities', REASON: 'golden folder' })
  // What cannot be applied fails again, and stays.
  await run('dead-letters-retry', { YES: '1', P: 'inbox' }, 1)
  await withPortal(dataDir, quickly, async () => {
    await eventually('the dead letter is there', async () => {
      const { count } = await operator.json(deadLettersSchema, 'dead-letters')
      return count > 0
    })
  })
}

const write = async ({ expectationsFile }: GoldenFolder, expectations: Expectations): Promise<void> =>
  writeFileSync(expectationsFile, await format(JSON.stringify(expectations), { parser: 'json', printWidth: 120 }))

const make = async (folder: GoldenFolder): Promise<void> => {
  const { release, dataDir } = folder
  if (existsSync(dataDir)) throw new Error(`${dataDir} exists: a golden folder is never made again`)
  mkdirSync(dataDir, { recursive: true })
  await record(dataDir)
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
