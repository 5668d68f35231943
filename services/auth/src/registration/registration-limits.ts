import { attemptAll, type AttemptLimiter, refundAll } from '@portal/platform/limits/port'
import type { AuthLimits } from '../auth-limits.ts'
import type { Channel } from './events.ts'

/** A counted attempt. `takeBack` undoes the count if nothing happened. */
type CountedAttempt = { readonly wait: number | undefined; takeBack(): Promise<void> }

/** Key of the one budget of SMS codes. */
const wholePortal = 'portal'

/** The operator and region of a number. */
const prefixOf = (mobileNumber: string): string => mobileNumber.slice(0, 4)

export const createRegistrationLimits = (limiter: (name: keyof AuthLimits) => AttemptLimiter) => {
  const registrationsPerAddress = limiter('registrationsPerAddress')
  const registrationsPerEmailAndAddress = limiter('registrationsPerEmailAndAddress')
  const registrationsPerEmail = limiter('registrationsPerEmail')
  const firstRegistrationsPerEmail = limiter('firstRegistrationsPerEmail')
  const firstRegistrationsPerEmailAndAddress = limiter('firstRegistrationsPerEmailAndAddress')
  const repeatedRegistrations = limiter('repeatedRegistrations')
  const codeChecksPerAddress = limiter('codeChecksPerAddress')
  const codeChecksPerEmail = limiter('codeChecksPerEmail')
  const codesPerMobile = limiter('codesPerMobile')
  const smsPerHour = limiter('smsPerHour')
  const smsPerAddress = limiter('smsPerAddress')
  const smsPerNumberPrefix = limiter('smsPerNumberPrefix')
  const resendsPerPair = limiter('resendsPerPair')

  const count = async (counted: Parameters<typeof attemptAll>[0]): Promise<CountedAttempt> => {
    const wait = await attemptAll(counted)
    return { wait, takeBack: async () => (wait === undefined ? refundAll(counted) : undefined) }
  }

  return {
    beginFrom: (address: string) => count([{ limiter: registrationsPerAddress, key: address }]),

    /**
     * Limit for a caller without a pending registration of the address. No few callers can use up the limit of the mailbox for the
     * first attempt of another one.
     */
    beginFor: async (emailIndex: string, address: string) => {
      const pair = `${emailIndex} ${address}`
      const isFirst = (await firstRegistrationsPerEmailAndAddress.waitSeconds(pair)) === undefined
      return count([
        { limiter: registrationsPerEmailAndAddress, key: pair },
        ...(isFirst
          ? [
              { limiter: firstRegistrationsPerEmailAndAddress, key: pair },
              { limiter: firstRegistrationsPerEmail, key: emailIndex },
            ]
          : [{ limiter: registrationsPerEmail, key: emailIndex }]),
      ])
    },

    /** The same registration again, as from several tabs or without cookies. */
    repeat: (emailIndex: string, mobileIndex: string, address: string) =>
      count([{ limiter: repeatedRegistrations, key: `${emailIndex} ${mobileIndex} ${address}` }]),

    sendTo: (mobileIndex: string) => count([{ limiter: codesPerMobile, key: mobileIndex }]),

    /** A resend for a caller who has not shown to be the one that began the registration, and may only guess the number. */
    askFor: (emailIndex: string, mobileIndex: string, wanted: readonly Channel[], address: string) =>
      count([
        { limiter: codeChecksPerAddress, key: address },
        { limiter: codeChecksPerEmail, key: emailIndex },
        ...wanted.map((channel) => ({ limiter: resendsPerPair, key: `${emailIndex} ${mobileIndex} ${channel}` })),
      ]),

    /** Counts against the SMS budget of the portal, and the caller's and the number's shares of it. */
    sendSms: (mobileNumber: string, address: string) =>
      count([
        { limiter: smsPerHour, key: wholePortal },
        { limiter: smsPerAddress, key: address },
        { limiter: smsPerNumberPrefix, key: prefixOf(mobileNumber) },
      ]),

    /** Counts per browser, so that its guesses do not use up those of others for the same mailbox. */
    check: (emailIndex: string, browserHash: string | undefined, address: string) =>
      count([
        { limiter: codeChecksPerAddress, key: address },
        { limiter: codeChecksPerEmail, key: browserHash ?? emailIndex },
      ]),
  }
}
export type RegistrationLimits = ReturnType<typeof createRegistrationLimits>
