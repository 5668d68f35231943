import type { ResetAccount } from './events.ts'

export type PasswordResetCommand =
  | {
      readonly type: 'RequestPasswordReset'
      readonly tokenHash: string
      /** Undefined for an address that nobody is registered with. */
      readonly account: ResetAccount | undefined
      readonly now: Date
      /** From the portal's operator, who hands over the link: it works longer, and no later request pushes it out. */
      readonly byOperator?: { readonly validMs: number }
    }
  | { readonly type: 'UseResetToken'; readonly tokenHash: string; readonly now: Date }
