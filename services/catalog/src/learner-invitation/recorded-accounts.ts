import { type EncryptedText, encryptedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema, type Role } from '@portal/contracts/auth/user'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { z } from 'zod'

type RecordedAccountsDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
}

const ownerSchema = z.object({ userId: userIdSchema, proved: z.array(z.string()).optional() })
const roleOfSchema = z.object({ role: roleSchema })
const profileOfSchema = z.object({ profile: encryptedTextSchema })
const nameSchema = z.object({ fullName: z.string() })

type Account = {
  readonly role: Role
  readonly profile: EncryptedText | undefined
  readonly isDeactivated: boolean
}

/**
 * Accounts as the log has them. Messages of the bus may be late, and an invitation that is recorded while its address registers must
 * find the account. Reads of the events of auth only what it names; recorded names never change.
 */
export const createRecordedAccounts = ({ eventStore, vault }: RecordedAccountsDeps) => {
  const readAccount = async (userId: UserId): Promise<Account | undefined> => {
    let account: Account | undefined
    for await (const { type, data } of eventStore.read(streamOf('user', userId))) {
      if (type === 'UserErased' || type === 'UserEmailReleased') return undefined
      const role = roleOfSchema.safeParse(data).data?.role ?? account?.role
      if (role === undefined) continue
      const profile = profileOfSchema.safeParse(data).data?.profile ?? account?.profile
      const isReactivation = type === 'UserReactivated'
      const isDeactivated = type === 'UserDeactivated' || (account?.isDeactivated === true && !isReactivation)
      account = { role, profile, isDeactivated }
    }
    return account
  }

  return {
    /** The learner who has proved to own the address and can log in. */
    learnerOf: async (emailIndex: string): Promise<UserId | undefined> => {
      let owner: { readonly userId: UserId; readonly isProved: boolean } | undefined
      for await (const { type, data } of eventStore.read(streamOf('registration', emailIndex))) {
        if (type === 'RegistrationCompleted') {
          const { userId, proved } = ownerSchema.parse(data)
          owner = { userId, isProved: proved === undefined || proved.includes('email') }
        }
        if (type === 'EmailProved' && owner) owner = { ...owner, isProved: true }
        if (type === 'EmailReleased') owner = undefined
      }
      if (!owner?.isProved) return undefined
      const account = await readAccount(owner.userId)
      return account?.role === 'student' && !account.isDeactivated ? owner.userId : undefined
    },

    /** Empty if the account was deleted. */
    nameOf: async (userId: UserId): Promise<string> => {
      const profile = (await readAccount(userId))?.profile
      const text = profile && (await vault.decrypt(userId, profile))
      return text === undefined ? '' : nameSchema.parse(JSON.parse(text)).fullName
    },
  }
}
export type RecordedAccounts = ReturnType<typeof createRecordedAccounts>
