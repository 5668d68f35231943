import type { OwnFactors } from '@portal/contracts/auth/factor-proof'
import { beginPasskeyProof } from '@portal/contracts/auth/passkeys'
import { call, type Answer } from '../../lib/http.ts'
import { signWithPasskey } from './passkey.ts'

/** What the user typed to confirm a change. `proof`: of the second factor, 'none' while two-step verification is off. */
export type Confirmation = {
  readonly password: string
  readonly proof: { readonly kind: 'none' | 'passkey' } | { readonly kind: 'code'; readonly code: string }
}

/** What the server takes. Lets the browser ask for a passkey, if that is the proof. */
export const ownFactorsOf = async (
  { password, proof }: Confirmation,
  signal: AbortSignal,
): Promise<Answer<OwnFactors>> => {
  if (proof.kind === 'none') return { success: true, data: { password } }
  if (proof.kind === 'code') return { success: true, data: { password, code: proof.code } }
  const begun = await call(beginPasskeyProof, { signal })
  if (!begun.success) return begun
  const signed = await signWithPasskey(begun.data.options, signal)
  return signed.success ? { success: true, data: { password, assertion: signed.data } } : signed
}
