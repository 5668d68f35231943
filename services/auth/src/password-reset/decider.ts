import { timingSafeEqual } from 'node:crypto'
import type { Decider } from '@portal/platform/decider/decider'
import { ok, rejected, type Result } from '@portal/platform/decider/result'
import type { PasswordResetCommand } from './commands.ts'
import { type PasswordResetEvent, passwordResetEventSchema, type ResetAccount } from './events.ts'
import { resetLimits } from './reset-limits.ts'

export type PasswordResetState =
  | { readonly status: 'none' }
  | {
      readonly status: 'requested'
      readonly tokenHash: string
      readonly expiresAtMs: number
      readonly account: ResetAccount | undefined
    }
  | { readonly status: 'used' }

/** 'not-valid': unknown, replaced by a newer one, or used. */
export type PasswordResetRejection = 'not-valid' | 'expired'

/** The requests of one e-mail address; the newest alone counts. */
export const passwordResetDecider: Decider<
  PasswordResetState,
  PasswordResetCommand,
  PasswordResetEvent,
  PasswordResetRejection
> = {
  category: 'reset',
  initial: { status: 'none' },

  decide(command, state) {
    switch (command.type) {
      case 'RequestPasswordReset': {
        const { tokenHash, account, now } = command
        const expiresAt = new Date(now.getTime() + resetLimits.validMs).toISOString()
        return ok([{ type: 'PasswordResetRequested', data: { tokenHash, expiresAt, account } }])
      }
      case 'UseResetToken': {
        const account = accountOfToken(state, command.tokenHash, command.now)
        return account.ok ? ok([{ type: 'ResetTokenUsed', data: { tokenHash: command.tokenHash } }]) : account
      }
    }
  },

  evolve(_state, event) {
    switch (event.type) {
      case 'PasswordResetRequested': {
        const { tokenHash, expiresAt, account } = event.data
        return { status: 'requested', tokenHash, expiresAtMs: Date.parse(expiresAt), account }
      }
      case 'ResetTokenUsed':
        return { status: 'used' }
    }
  },

  parse: (stored) => passwordResetEventSchema.parse(stored),
}

/** Whose password a token may set now. */
export const accountOfToken = (
  state: PasswordResetState,
  tokenHash: string,
  now: Date,
): Result<ResetAccount, PasswordResetRejection> => {
  if (state.status !== 'requested' || !state.account) return rejected('not-valid')
  if (!isSameHash(state.tokenHash, tokenHash)) return rejected('not-valid')
  return state.expiresAtMs <= now.getTime() ? rejected('expired') : ok(state.account)
}

/** In a time that says nothing about how much of it was right. */
const isSameHash = (expected: string, actual: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)]
  return a.length === b.length && timingSafeEqual(a, b)
}
