import { describe, expect, it } from 'vitest'
import { createAccountAddress } from './account-address.ts'
import { loginRef } from './projection.ts'

const indexOf = (email: string) => `index of ${email}`

/** Finds the account of what is typed while these addresses have one. */
const find = (typed: string, ...accounts: readonly string[]) => {
  const known = new Set(accounts.map((email) => loginRef(indexOf(email)).key))
  const logins = { get: async ({ key }: { readonly key: string }) => (known.has(key) ? {} : undefined) }
  return createAccountAddress({ index: (_kind, email) => indexOf(email) }, logins)(typed)
}

describe('a typed address', () => {
  it('names the account of its one form', async () => {
    const account = { email: 'ada@example.com', emailIndex: indexOf('ada@example.com') }
    expect(await find('ada@example.com', 'ada@example.com')).toEqual(account)
    expect(await find('ada\u200B@example.com', 'ada@example.com')).toEqual(account)
    expect(await find('ada\u200B@example.com', 'ada@example.com', 'ada\u200B@example.com')).toEqual(account)
    expect(await find('ada\u200B@example.com')).toEqual(account)
  })

  it('names an account of an older release that has it as it was typed', async () => {
    expect(await find('ada@exämple.com', 'ada@exämple.com')).toEqual({
      email: 'ada@exämple.com',
      emailIndex: indexOf('ada@exämple.com'),
    })
  })
})
