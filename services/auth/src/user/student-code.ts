import { createHash } from 'node:crypto'
import type { UserId } from '@portal/contracts/shared/ids'

/** Without letters that are read as digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeChars = 8

/** What a learner gives as their number, such as MIN-2026-7K3FQ9XD: made from the id, so that it is the same whenever asked. */
export const studentCodeOf = (userId: UserId, registeredAt: Date): string => {
  const digest = createHash('sha256').update(userId).digest()
  const characters = Array.from(digest.subarray(0, codeChars), (byte) => alphabet.charAt(byte % alphabet.length))
  return `MIN-${registeredAt.getUTCFullYear()}-${characters.join('')}`
}
