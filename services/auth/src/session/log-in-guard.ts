import { type AttemptLimiter, longestWait } from '@portal/platform/limits/attempt-limiter'

type Limiters = {
  readonly perEmailAndAddress: AttemptLimiter
  readonly perEmail: AttemptLimiter
  readonly perAddress: AttemptLimiter
}

export type LogInAttempt = { readonly emailIndex: string; readonly address: string }

/** Bounds wrong passwords. Right ones are never counted, so a campus behind one address can log in all at once. */
export const createLogInGuard = ({ perEmailAndAddress, perEmail, perAddress }: Limiters) => {
  const pairOf = ({ emailIndex, address }: LogInAttempt) => `${emailIndex} ${address}`
  return {
    waitSeconds: (attempt: LogInAttempt): number | undefined =>
      longestWait(
        perEmailAndAddress.waitSeconds(pairOf(attempt)),
        perEmail.waitSeconds(attempt.emailIndex),
        perAddress.waitSeconds(attempt.address),
      ),
    countFailure: (attempt: LogInAttempt): void => {
      perEmailAndAddress.count(pairOf(attempt))
      perEmail.count(attempt.emailIndex)
      perAddress.count(attempt.address)
    },
    /** For whoever has shown in another way that the account is theirs. What the address did to other accounts stays counted. */
    lift: (attempt: LogInAttempt): void => {
      perEmailAndAddress.forget(pairOf(attempt))
      perEmail.forget(attempt.emailIndex)
    },
  }
}
export type LogInGuard = ReturnType<typeof createLogInGuard>
