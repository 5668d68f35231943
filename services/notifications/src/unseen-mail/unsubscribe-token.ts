import { createHmac, timingSafeEqual } from 'node:crypto'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'

/**
 * Tokens that end a user's e-mails about notifications, and nothing else: the key has this one purpose. They do not expire, because an
 * e-mail may be read years later.
 */
export const createUnsubscribeTokens = (key: Uint8Array) => {
  const signatureOf = (userId: UserId): Buffer => createHmac('sha256', key).update(userId).digest()
  return {
    of: (userId: UserId): string => `${userId}.${signatureOf(userId).toString('base64url')}`,
    /** Undefined for a token that this portal did not make. */
    userOf: (token: string): UserId | undefined => {
      const [id, signature = ''] = token.split('.', 2)
      const userId = userIdSchema.safeParse(id).data
      if (userId === undefined) return undefined
      const [given, own] = [Buffer.from(signature, 'base64url'), signatureOf(userId)]
      return given.length === own.length && timingSafeEqual(given, own) ? userId : undefined
    },
  }
}
export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>
