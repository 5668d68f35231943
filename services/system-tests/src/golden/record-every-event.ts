import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logIn } from '../testing/api-client.ts'
import { createOperator, deadLettersSchema } from '../testing/operator.ts'
import { type Environment, eventually, type PortalProcess, startPortal } from '../testing/portal-process.ts'
import {
  driveAccountChanges,
  driveAddresses,
  driveInvitations,
  driveApiKey,
  driveNewcomer,
  golden,
  registerInVain,
} from './drive-accounts.ts'
import { driveResend } from './drive-actions.ts'
import { driveCatalog } from './drive-catalog.ts'
import { driveLearnerInvitations } from './drive-learner-invitations.ts'
import { driveNotifications } from './drive-notifications.ts'
import { drivePasskey, driveSecondFactor } from './drive-second-factor.ts'
import {
  eraseUser,
  recordCopies,
  recordExpiredRegistration,
  recordOfflineSends,
  recordSessionUse,
  recordTokenUse,
  recordUnapplicableEvent,
  seedAtFormerCost,
} from './record-offline.ts'

export const quickly = { SEEN_GRACE_MS: '300' }
const noMailServer = { SMTP_URL: 'smtp://127.0.0.1:1' }

export const withPortal = async <T>(
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
export const recordEveryEvent = async (dataDir: string): Promise<void> => {
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
    await driveAccountChanges(address, admin)
    await driveInvitations({ portal, dataDir }, admin)
    await driveLearnerInvitations({ portal, dataDir }, admin)
    await driveSecondFactor(address, reader, golden.reader)
    await drivePasskey(address, reader, golden.reader)
    await driveApiKey(address, admin)
    await driveNotifications(address, { admin, reader, deviceOwner, erased, notices })
    return { newcomer, admin, reader, deviceOwner, erased }
  })
  const { admin, deviceOwner } = people
  const offline = await recordOfflineSends(dataDir, { sentBy: admin.userId, recipient: deviceOwner.userId })
  await recordTokenUse(dataDir, deviceOwner.userId)
  await recordExpiredRegistration(dataDir)
  await recordSessionUse(dataDir, deviceOwner.userId)
  await withPortal(dataDir, quickly, ({ address }) => driveResend(address, admin, offline))
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
