import type { EncryptedText } from '@portal/contracts/auth/events'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import { TamperedError } from '@portal/platform/personal-data/encryption'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Logger } from 'pino'
import type { TypedByAdmin } from './action.ts'
import type { IndexedAction } from './action-index.ts'

type ReadTypedDeps = {
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly logger: Pick<Logger, 'error'>
}

/** A vault on a server answers each call after a round trip. */
const concurrency = 15

/** Decrypts what admins typed. What concerns an erased user is left out. */
export const createReadTyped = ({ vault, logger }: ReadTypedDeps) => {
  const open = async (userId: string, text: EncryptedText | undefined): Promise<string | undefined> => {
    try {
      return text && (await vault.decrypt(userId, text))
    } catch (error) {
      if (!(error instanceof TamperedError)) throw error
      logger.error({ err: error, userId }, 'text of an action cannot be decrypted, the list leaves it out')
      return undefined
    }
  }

  /** By the ids of the actions. */
  return async (actions: readonly IndexedAction[]): Promise<ReadonlyMap<string, TypedByAdmin>> => {
    const texts = new Map<string, TypedByAdmin>()
    await forEachConcurrently(concurrency, actions, async ({ id, typed, object }) => {
      if (!typed || object?.kind !== 'person') return
      const [reason, reference] = await Promise.all([open(object.id, typed.reason), open(object.id, typed.reference)])
      texts.set(id, { reason, reference })
    })
    return texts
  }
}
export type ReadTyped = ReturnType<typeof createReadTyped>
