import type { ResetAccount } from './events.ts'

export type PasswordResetCommand =
  | {
      readonly type: 'RequestPasswordReset'
      readonly tokenHash: string
      /** Undefined for an address that nobody is registered with. */
      readonly account: ResetAccount | undefined
      readonly now: Date
    }
  | { readonly type: 'UseResetToken'; readonly tokenHash: string; readonly now: Date }
