import { join } from 'node:path'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import { appendOperation, isOperationRecorded } from '@portal/platform/operations/operation'
import { watchSpool } from '@portal/platform/operations/spool'
import type { Logger } from 'pino'
import { addAdminUnlimited } from '../admin-roster/admin-roster.ts'
import { passwordResetDecider } from '../password-reset/decider.ts'
import { registerDirectly } from '../registration/completion.ts'
import { resetSecondFactor } from '../second-factor/second-factor-stream.ts'
import { userDecider, type UserState } from '../user/decider.ts'
import { type AdminGrant, adminGrantSchema, adminLinkHours, credentialOf, userIdOf } from './admin-grant.ts'

type Store = Pick<EventStore, 'read' | 'append'>

/**
 * 'address-taken': since the grant was prepared, another account took the address. 'no-such-user': the user was erased
 * since.
 */
export type ApplyRejection = 'address-taken' | 'no-such-user'

const hourMs = 3_600_000

const makeAccount = async (
  store: Store,
  { id, by, account }: AdminGrant,
  user: UserState,
): Promise<Result<void, ApplyRejection>> => {
  if (account.kind === 'new') {
    const outcome = await registerDirectly(store, account.details)
    return outcome === 'registered' ? ok(undefined) : rejected(outcome)
  }
  const { userId, credential } = account
  if (user.status !== 'active') return rejected('no-such-user')
  await addAdminUnlimited(store, userId, id)
  const made = await handleCommand(
    store,
    userDecider,
    userId,
    { type: 'MakeAdmin', credential, by },
    { eventId: eventIdsOf('admin-granted', id) },
  )
  if (!made.ok) return rejected('no-such-user')
  // After the password, so that the former one never suffices.
  await resetSecondFactor(store, { userId, by, grantId: id })
  return ok(undefined)
}

const requestLink = async (store: Store, grant: AdminGrant, now: Date): Promise<void> => {
  const command = {
    type: 'RequestPasswordReset',
    tokenHash: grant.tokenHash,
    account: { userId: userIdOf(grant), replaces: credentialOf(grant) },
    now,
    byOperator: { validMs: adminLinkHours * hourMs },
  } as const
  await handleCommand(store, passwordResetDecider, grant.emailIndex, command, {
    eventId: eventIdsOf('admin-link', grant.id),
  })
}

/**
 * Makes the account an admin, invalidates its password, and activates the one-time link. Every step is safe to repeat
 * after a crash. The operation is recorded last; after that a repetition changes nothing. Projections and the auth
 * reactor update the login, the directory and the sessions.
 */
export const applyAdminGrant = async (
  store: Store,
  grant: AdminGrant,
  now: Date,
): Promise<Result<void, ApplyRejection>> => {
  if (await isOperationRecorded(store, grant.id)) return ok(undefined)
  const { account, by, reason } = grant
  const { state } = await loadState(store, userDecider, userIdOf(grant))
  const made = await makeAccount(store, grant, state)
  if (!made.ok) return made
  await requestLink(store, grant, now)
  await appendOperation(store, {
    id: grant.id,
    operation: {
      type: 'AdminMade',
      data: {
        by,
        ...(reason !== undefined && { reason }),
        what: {
          userId: userIdOf(grant),
          account: account.kind,
          wasAdmin: account.kind === 'existing' && state.status === 'active' && state.role === 'admin',
        },
      },
    },
  })
  return ok(undefined)
}

/** Folder of grants that wait for the running portal, which has the event store locked. */
export const adminGrantsIn = (dataDir: string): string => join(dataDir, 'admin-grants')

type ApplyingGrantsDeps = {
  readonly dataDir: string
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly now: () => Date
  readonly logger: Logger
}

export const startApplyingGrants = ({
  dataDir,
  eventStore,
  now,
  logger,
}: ApplyingGrantsDeps): { stop(): Promise<void> } =>
  watchSpool({
    folder: adminGrantsIn(dataDir),
    logger,
    handle: async (request) => {
      const grant = adminGrantSchema.safeParse(request)
      if (!grant.success) return 'rejected'
      const applied = await applyAdminGrant(eventStore, grant.data, now())
      return applied.ok ? 'done' : 'rejected'
    },
    rejectedMessage: 'operator request rejected',
    failureMessage: 'operator request failed, retrying',
  })
