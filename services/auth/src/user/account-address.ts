import { cleanEmail } from '@portal/contracts/shared/typed-input'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { loginRef } from './projection.ts'

/** The address that an account is looked for under, and its index. */
type AccountAddress = { readonly email: string; readonly emailIndex: string }

/**
 * Finds the account of a typed address: in its one form, or as it was typed if only that has an account, as accounts of older releases
 * may have.
 */
export const createAccountAddress =
  (vault: Pick<PersonalDataVault, 'index'>, logins: Pick<ReadStore, 'get'>) =>
  async (typed: string): Promise<AccountAddress> => {
    const of = (email: string): AccountAddress => ({ email, emailIndex: vault.index('email', email) })
    const clean = of(cleanEmail(typed))
    if (clean.email === typed) return clean
    const asTyped = of(typed)
    const found = await Promise.all([clean, asTyped].map(({ emailIndex }) => logins.get(loginRef(emailIndex))))
    return found[0] === undefined && found[1] !== undefined ? asTyped : clean
  }
