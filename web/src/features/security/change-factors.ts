import type { OwnFactors } from '@portal/contracts/auth/factor-proof'
import { addPasskey, beginPasskey, type PasskeyCreationOptions, removePasskey } from '@portal/contracts/auth/passkeys'
import { beginTotp, issueRecoveryCodes, type Passkey, removeSecondFactor } from '@portal/contracts/auth/second-factor'
import { call, type Answer } from '../../lib/http.ts'
import { ownFactorsOf, type Confirmation } from './own-factors.ts'
import { createPasskey } from './passkey.ts'

/** What the password and the second factor are asked for. */
export type Change =
  | { readonly kind: 'set-up' | 'recovery-codes' | 'removal' }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'passkey-removal'; readonly passkey: Passkey; readonly isLastFactor: boolean }

/** What a change shows next, and what it says. */
export type Outcome = {
  readonly offer?: { readonly secret: string; readonly uri: string }
  /** Empty if earlier ones go on. */
  readonly recoveryCodes?: readonly string[]
  readonly message?: string
}

/** What the server has confirmed. A passkey that the browser did not make can be asked for again without another proof. */
export type BegunPasskey = { options: PasskeyCreationOptions | undefined }

const beginAdding = async (
  confirmation: Confirmation,
  signal: AbortSignal,
): Promise<Answer<PasskeyCreationOptions>> => {
  const factors = await ownFactorsOf(confirmation, signal)
  if (!factors.success) return factors
  const answer = await call(beginPasskey, { body: factors.data })
  return answer.success ? { success: true, data: answer.data.options } : answer
}

const addNewPasskey = async (
  begun: BegunPasskey,
  confirmation: Confirmation,
  signal: AbortSignal,
): Promise<Answer<Outcome>> => {
  if (begun.options === undefined) {
    const answer = await beginAdding(confirmation, signal)
    if (!answer.success) return answer
    begun.options = answer.data
  }
  const created = await createPasskey(begun.options, signal)
  if (!created.success) return created
  // The server takes one answer to them.
  begun.options = undefined
  return call(addPasskey, { body: { credential: created.data } })
}

const request = async (
  change: Exclude<Change, { readonly kind: 'passkey' }>,
  body: OwnFactors,
): Promise<Answer<Outcome>> => {
  switch (change.kind) {
    case 'set-up': {
      const answer = await call(beginTotp, { body })
      return answer.success ? { success: true, data: { offer: answer.data } } : answer
    }
    case 'recovery-codes': {
      const answer = await call(issueRecoveryCodes, { body })
      return answer.success ? { success: true, data: { recoveryCodes: answer.data.recoveryCodes } } : answer
    }
    case 'removal':
      return call(removeSecondFactor, { body })
    case 'passkey-removal':
      return call(removePasskey, { params: { id: change.passkey.id }, body })
  }
}

/** Makes a change that the user has confirmed. */
export const changeFactors = async (
  change: Change,
  confirmation: Confirmation,
  begun: BegunPasskey,
  signal: AbortSignal,
): Promise<Answer<Outcome>> => {
  if (change.kind === 'passkey') return addNewPasskey(begun, confirmation, signal)
  const factors = await ownFactorsOf(confirmation, signal)
  return factors.success ? request(change, factors.data) : factors
}
