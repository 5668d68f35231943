import { randomBytes } from 'node:crypto'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { loadState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { newResetToken, resetTokenHash } from '../password-reset/reset-token.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { registrationDecider } from '../registration/decider.ts'
import { encryptAdminDetails } from '../registration/details.ts'
import { userDecider } from '../user/decider.ts'
import type { AdminGrant } from './admin-grant.ts'

type PrepareAdminGrantDeps = {
  readonly log: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt'>
  readonly passwords: Pick<PasswordHashing, 'hash'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

type AdminRequest = { readonly email: string; readonly by: string; readonly reason?: string | undefined }

type PreparedGrant = {
  readonly grant: AdminGrant
  /** Token of the one-time link. Only its hash is recorded. */
  readonly token: string
}

/** 'erased': the last account with this address was erased. */
type GrantRejection = 'erased'

/** The user who owns the address, or whether its last owner was erased. */
const ownerOf = async (log: PrepareAdminGrantDeps['log'], emailIndex: string): Promise<UserId | 'none' | 'erased'> => {
  let releasedBy: UserId | undefined
  const { state } = await loadState(log, registrationDecider, emailIndex, (event) => {
    if (event.type === 'EmailReleased') releasedBy = event.data.userId
  })
  const owner = state.status === 'completed' ? state.details.userId : releasedBy
  if (owner === undefined) return 'none'
  const { state: user } = await loadState(log, userDecider, owner)
  if (user.status === 'erased') return 'erased'
  return state.status === 'completed' ? owner : 'none'
}

const secretBytes = 32

/** Prepares everything that needs the vault, so that another process can apply the grant. Records nothing. */
export const prepareAdminGrant = async (
  { log, vault, passwords, clockAndIds }: PrepareAdminGrantDeps,
  { email, by, reason }: AdminRequest,
): Promise<Result<PreparedGrant, GrantRejection>> => {
  const emailIndex = vault.index('email', email)
  const owner = await ownerOf(log, emailIndex)
  if (owner === 'erased') return rejected('erased')
  const token = newResetToken(emailIndex)
  const passwordHash = await passwords.hash(randomBytes(secretBytes).toString('base64url'))
  const parts = {
    id: clockAndIds.newId(),
    by,
    ...(reason !== undefined && { reason }),
    emailIndex,
    tokenHash: resetTokenHash(vault, token),
  }
  if (owner !== 'none') {
    const account = { kind: 'existing', userId: owner, credential: await vault.encrypt(owner, passwordHash) } as const
    return ok({ grant: { ...parts, account }, token })
  }
  const userId = userIdSchema.parse(clockAndIds.newId())
  const details = await encryptAdminDetails(vault, { userId, email, passwordHash })
  return ok({ grant: { ...parts, account: { kind: 'new', details } }, token })
}
