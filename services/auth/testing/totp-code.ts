import { generateSync } from 'otplib'

/** The code that an authenticator app shows at a time. */
export const totpCodeAt = (secret: string, at: Date): string =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1_000) })
