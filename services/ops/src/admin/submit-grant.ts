import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AdminGrant, credentialOf, userIdOf } from '@portal/auth/admin-grant/admin-grant'
import { adminGrantsIn, applyAdminGrant, type ApplyRejection } from '@portal/auth/admin-grant/apply-admin-grant'
import { newestSessions, openSessionsProjection } from '@portal/auth/session/projection'
import { loginProjection, loginRef, loginSchema } from '@portal/auth/user/projection'
import { openEventStore } from '@portal/platform/adapters/open-adapters'
import { DataFolderInUseError } from '@portal/platform/event-store/errors'
import type { EventStore } from '@portal/platform/event-store/port'
import { isOperationRecorded } from '@portal/platform/operations/operation'
import { fileInSpool, writeToSpool, rejectedFileOf } from '@portal/platform/operations/spool'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { wrapEngineErrors } from '../settings/open-engines.ts'
import { isFile } from '../settings/engine-addresses.ts'
import type { ServingReadModels } from '../settings/serving-read-models.ts'

/** 'by-portal': the running portal recorded it, because it owns the event store. */
type Submitted = 'by-portal' | 'here'

const rejections: Readonly<Record<ApplyRejection, string>> = {
  'address-taken': 'Another account has registered this address in the meantime; run make admin again',
  'no-such-user': 'The account of this address was erased, or is not complete yet; nothing has changed',
}

const pollMs = 100
const portalTimeoutMs = 15_000

const applyHere = async (config: Pick<Config, 'eventStoreUrl'>, grant: AdminGrant): Promise<void> => {
  const eventStore = await openEventStore(config.eventStoreUrl)
  try {
    const applied = await applyAdminGrant(eventStore, grant, new Date())
    if (!applied.ok) throw new CommandError(rejections[applied.error])
  } finally {
    await eventStore.close()
  }
}

const applyByPortal = async (
  { dataDir }: Pick<Config, 'dataDir'>,
  log: Pick<EventStore, 'read'>,
  grant: AdminGrant,
): Promise<void> => {
  const folder = adminGrantsIn(dataDir)
  const file = fileInSpool(folder, grant.id)
  writeToSpool(folder, grant.id, grant)
  for (const deadline = Date.now() + portalTimeoutMs; Date.now() < deadline;) {
    if (await isOperationRecorded(log, grant.id)) return
    if (existsSync(rejectedFileOf(file)))
      throw new CommandError(
        'The portal rejected the request because the account has changed in the meantime; run make admin again',
      )
    await sleep(pollMs)
  }
  await rm(file, { force: true })
  throw new CommandError(
    'The portal did not handle the request within 15 s. If it runs an earlier version, restart it; then run make admin again',
  )
}

/** Records a grant directly, or through the running portal if that owns the event store. */
export const submitGrant = async (
  config: Pick<Config, 'dataDir' | 'eventStoreUrl'>,
  log: Pick<EventStore, 'read'>,
  grant: AdminGrant,
): Promise<Submitted> => {
  if (!isFile(config.eventStoreUrl)) {
    await wrapEngineErrors('The event store', config.eventStoreUrl, () => applyHere(config, grant))
    return 'here'
  }
  try {
    await applyHere(config, grant)
    return 'here'
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error
    await applyByPortal(config, log, grant)
    return 'by-portal'
  }
}

const isEffective = async (readModels: ServingReadModels, grant: AdminGrant): Promise<boolean> => {
  const [logins, sessions] = await Promise.all([readModels.of(loginProjection), readModels.of(openSessionsProjection)])
  if (!logins || !sessions) return false
  const login = loginSchema.safeParse(await logins.readModel.get(loginRef(grant.emailIndex)))
  if (!login.success || login.data.credential !== credentialOf(grant)) return false
  return (await newestSessions(sessions.readModel, userIdOf(grant), 1)).length === 0
}

/** Returns whether the previous password and sessions have ended within the timeout. False if no portal is running. */
export const waitUntilEffective = async (
  readModels: ServingReadModels,
  grant: AdminGrant,
  timeoutMs: number,
): Promise<boolean> => {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(pollMs)) {
    if (await isEffective(readModels, grant)) return true
    if (Date.now() > deadline) return false
  }
}
