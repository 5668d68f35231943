import { seededEmail } from '../testing/api-client.ts'
import { admin } from '../testing/portal-process.ts'

/** Of all learners that the maker seeds. */
export const seededPassword: string = 'Golden-2026'

export const golden = {
  admin,
  reader: { email: seededEmail(1), password: seededPassword },
  deviceOwner: { email: seededEmail(2), password: seededPassword },
  erased: { email: seededEmail(3), password: seededPassword },
  /** Registers by e-mail code, changes the name, and gets a new password twice. */
  newcomer: { email: 'learner-9@example.com', password: 'Golden-third-3' },
  /** Registers by a code to the number, proves the address, and becomes an admin. */
  promoted: { email: 'promoted@example.com', password: 'Golden-fifth-5' },
  /** Takes the address back from a stranger who registered it. */
  reclaimed: { email: 'reclaimed@example.com', password: 'Golden-unproved-4' },
} as const

export const seededCount = 3
