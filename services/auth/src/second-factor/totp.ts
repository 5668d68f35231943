import { generateSecret, generateURI, verifySync } from 'otplib'

/** Authenticator apps know no other values. */
const stepSeconds = 30
/** Shown by authenticator apps above the code. */
const issuer = 'Minor Programs'

/** 20 random bytes in base32. */
export const newTotpSecret = (): string => generateSecret()

/** What authenticator apps read from a QR code. */
export const totpUri = (secret: string, email: string): string => generateURI({ issuer, label: email, secret })

/** `123 456` counts as 123456. Undefined for what is no code of an authenticator app. */
export const totpCodeOf = (typed: string): string | undefined => {
  const code = typed.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}

/**
 * The time step of a code: the current one, or one beside it, because people type slowly and phones have wrong clocks. Undefined for
 * a wrong code.
 */
export const timeStepOf = (secret: string, code: string, now: Date): number | undefined => {
  const epoch = Math.floor(now.getTime() / 1_000)
  const verified = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
  return verified.valid ? Math.floor(epoch / stepSeconds) + verified.delta : undefined
}
