import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { constantTimeEqual } from '../constant-time-equal.ts'
import { type PasswordResetEvent, passwordResetEventSchema, type ResetAccount } from './events.ts'

export const resetLimits = {
  /** How long a link can be used. */
  validMs: 30 * 60_000,
  /** Links to one mailbox in that time: whoever is sent no more has one that works. */
  linksPerEmail: 3,
  /** Of the newest: as many as can be good at once, so that no stranger makes an owner's link worthless by asking for others. */
  tokensKept: 6,
} as const

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

type Token = {
  readonly hash: string
  readonly expiresAtMs: number
  readonly account: ResetAccount | undefined
  readonly isByOperator: boolean
}

/** Oldest first. */
export type PasswordResetState = { readonly tokens: readonly Token[] }

/** 'not-valid': unknown, used, or made worthless by the use of another. */
type PasswordResetRejection = 'not-valid' | 'expired'

/**
 * The requests of one e-mail address. Anybody may make them, so a newer one leaves the older ones good; the first use ends all,
 * as every change of the password does.
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

/** An operator's link is counted apart: strangers may ask for as many others as they like. */
const newest = (tokens: readonly Token[]): readonly Token[] => {
  const kept = (those: readonly Token[]) => those.slice(-resetLimits.tokensKept)
  return [...kept(tokens.filter((token) => token.isByOperator)), ...kept(tokens.filter((token) => !token.isByOperator))]
}

/** Whose password a token may set now. */
export const accountOfToken = (
  state: PasswordResetState,
  tokenHash: string,
  now: Date,
): Result<ResetAccount, PasswordResetRejection> => {
  const token = state.tokens.find(({ hash }) => constantTimeEqual(hash, tokenHash))
  if (!token?.account) return rejected('not-valid')
  return token.expiresAtMs <= now.getTime() ? rejected('expired') : ok(token.account)
}
