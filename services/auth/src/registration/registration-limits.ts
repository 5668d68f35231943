import { attemptAll, type AttemptLimiter, refundAll } from '@portal/platform/limits/port'
import type { AuthLimits } from '../auth-limits.ts'

/** What an attempt counted, to be taken back when it turns out to be none. */
type CountedAttempt = { readonly wait: number | undefined; takeBack(): Promise<void> }

/** One budget for all codes that the portal sends by SMS. */
const wholePortal = 'portal'

export const createRegistrationLimits = (limiter: (name: keyof AuthLimits) => AttemptLimiter) => {
  const registrationsPerAddress = limiter('registrationsPerAddress')
  const registrationsPerEmailAndAddress = limiter('registrationsPerEmailAndAddress')
  const registrationsPerEmail = limiter('registrationsPerEmail')
  const repeatedRegistrations = limiter('repeatedRegistrations')
  const codeChecksPerAddress = limiter('codeChecksPerAddress')
  const codeChecksPerEmail = limiter('codeChecksPerEmail')
  const codesPerMobile = limiter('codesPerMobile')
  const smsPerHour = limiter('smsPerHour')

  const count = async (counted: Parameters<typeof attemptAll>[0]): Promise<CountedAttempt> => {
    const wait = await attemptAll(counted)
    return { wait, takeBack: async () => (wait === undefined ? refundAll(counted) : undefined) }
  }

  return {
    beginFrom: (address: string) => count([{ limiter: registrationsPerAddress, key: address }]),

    /** For a caller who has begun none for this address yet. No single caller can use up what the mailbox may get. */
    beginFor: (emailIndex: string, address: string) =>
      count([
        { limiter: registrationsPerEmailAndAddress, key: `${emailIndex} ${address}` },
        { limiter: registrationsPerEmail, key: emailIndex },
      ]),

    /** The same once more, as from several tabs or without cookies. */
    repeat: (emailIndex: string, mobileIndex: string, address: string) =>
      count([{ limiter: repeatedRegistrations, key: `${emailIndex} ${mobileIndex} ${address}` }]),

    sendTo: (mobileIndex: string) => count([{ limiter: codesPerMobile, key: mobileIndex }]),

    /** One of the portal's budget of SMS. */
    sendSms: () => count([{ limiter: smsPerHour, key: wholePortal }]),

    /** A browser's guesses do not use up those of others at the same mailbox. */
    check: (emailIndex: string, browserHash: string | undefined, address: string) =>
      count([
        { limiter: codeChecksPerAddress, key: address },
        { limiter: codeChecksPerEmail, key: browserHash ?? emailIndex },
      ]),
  }
}
export type RegistrationLimits = ReturnType<typeof createRegistrationLimits>
