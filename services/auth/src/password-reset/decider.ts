import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { constantTimeEqual } from '../constant-time-equal.ts'
import { type PasswordResetEvent, passwordResetEventSchema, type ResetAccount } from './events.ts'

export const resetLimits = {
  /** How long a link works. */
  validMs: 30 * 60_000,
  /** Links per mailbox in that time. A mailbox at the limit has a link that still works. */
  linksPerEmail: 3,
  /**
   * How many of the newest tokens are kept: as many as can be valid at once, so that requests of a stranger never
   * invalidate the owner's link.
   */
  tokensKept: 6,
} as const

export type PasswordResetCommand =
  | {
      readonly type: 'RequestPasswordReset'
      readonly tokenHash: string
      /** Undefined if the address has no account. */
      readonly account: ResetAccount | undefined
      readonly now: Date
      /**
       * Requested by an operator, who hands over the link. It is valid longer, and later requests do not replace it.
       */
      readonly byOperator?: { readonly validMs: number }
    }
  | { readonly type: 'UseResetToken'; readonly tokenHash: string; readonly now: Date }

type Token = {
  readonly hash: string
  readonly expiresAtMs: number
  readonly account: ResetAccount | undefined
  readonly isByOperator: boolean
}

/** Oldest first. */
export type PasswordResetState = { readonly tokens: readonly Token[] }

/** 'not-valid': unknown, used, or invalidated by the use of another token. */
type PasswordResetRejection = 'not-valid' | 'expired'

/**
 * The reset requests of one e-mail address. Anyone can make requests, so a newer one leaves older tokens valid. The
 * first use, and every password change, invalidates all of them.
 */
export const passwordResetDecider: Decider<
  PasswordResetState,
  PasswordResetCommand,
  PasswordResetEvent,
  PasswordResetRejection
> = {
  category: 'reset',
  initial: { tokens: [] },

  decide(command, state) {
    switch (command.type) {
      case 'RequestPasswordReset': {
        const { tokenHash, account, now, byOperator } = command
        const expiresAt = new Date(now.getTime() + (byOperator?.validMs ?? resetLimits.validMs)).toISOString()
        const data = { tokenHash, expiresAt, account, ...(byOperator && { isByOperator: true as const }) }
        return ok([{ type: 'PasswordResetRequested', data }])
      }
      case 'UseResetToken': {
        const account = accountOfToken(state, command.tokenHash, command.now)
        return account.ok ? ok([{ type: 'ResetTokenUsed', data: { tokenHash: command.tokenHash } }]) : account
      }
    }
  },

  evolve({ tokens }, event) {
    switch (event.type) {
      case 'PasswordResetRequested': {
        const { tokenHash, expiresAt, account, isByOperator = false } = event.data
        const token = { hash: tokenHash, expiresAtMs: Date.parse(expiresAt), account, isByOperator }
        return { tokens: newest([...tokens, token]) }
      }
      case 'ResetTokenUsed':
        return { tokens: [] }
    }
  },

  parse: storedEventReader(passwordResetEventSchema),
}

/** Operator links are counted separately, because strangers can request any number of ordinary ones. */
const newest = (tokens: readonly Token[]): readonly Token[] => {
  const kept = (those: readonly Token[]) => those.slice(-resetLimits.tokensKept)
  return [...kept(tokens.filter((token) => token.isByOperator)), ...kept(tokens.filter((token) => !token.isByOperator))]
}

/** Returns the account whose password the token may set now. */
export const accountOfToken = (
  state: PasswordResetState,
  tokenHash: string,
  now: Date,
): Result<ResetAccount, PasswordResetRejection> => {
  const token = state.tokens.find(({ hash }) => constantTimeEqual(hash, tokenHash))
  if (!token?.account) return rejected('not-valid')
  return token.expiresAtMs <= now.getTime() ? rejected('expired') : ok(token.account)
}
