import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advance, hasCodesFor, newWizard, type Wizard, type WizardEvent } from './wizard.ts'

const account = {
  name: 'Asha Rao',
  university: 'Lakeside University',
  password: 'Secret#1x',
  confirmPassword: 'Secret#1x',
}
const contact = { email: 'asha@example.com', phone: '9876543210' }
const play = (...events: WizardEvent[]): Wizard => events.reduce(advance, newWizard)

const toCodes: WizardEvent[] = [
  { type: 'account-completed', account },
  { type: 'contact-changed', contact },
  { type: 'codes-sent', sentAt: 0, resendFrom: 30_000 },
]

describe('the registration wizard', () => {
  it('goes from account to contact to codes', () => {
    expect(play().step).toBe('account')
    expect(play({ type: 'account-completed', account })).toMatchObject({ step: 'contact', account })
    expect(play(...toCodes)).toMatchObject({
      step: 'codes',
      account,
      contact,
      resendFrom: { emailOtp: 30_000, phoneOtp: 30_000 },
    })
  })

  it('[R-7 R-12] goes back one step at a time, and stops at the first', () => {
    const back: WizardEvent = { type: 'went-back' }
    expect(play(...toCodes, back).step).toBe('contact')
    expect(play(...toCodes, back, back).step).toBe('account')
    expect(play(...toCodes, back, back, back).step).toBe('account')
  })

  it("[R-13] focuses the field of an 'edit' link, for that step only", () => {
    const editing = play(...toCodes, { type: 'edit-requested', field: 'phone' })
    expect(editing).toMatchObject({ step: 'contact', focus: 'phone' })
    expect(advance(editing, { type: 'codes-sent', sentAt: 1, resendFrom: 30_001 }).focus).toBeUndefined()
    expect(advance(editing, { type: 'went-back' }).focus).toBeUndefined()
  })

  it('has a separate countdown for each code after a resend', () => {
    const resent = play(...toCodes, { type: 'code-resent', code: 'phoneOtp', sentAt: 65_000, resendFrom: 95_000 })
    expect(resent.resendFrom).toEqual({ emailOtp: 30_000, phoneOtp: 95_000 })
    expect(resent.sentAt).toEqual({ emailOtp: 0, phoneOtp: 65_000 })
    const delayed = advance(resent, { type: 'resend-delayed', code: 'emailOtp', resendFrom: 80_000 })
    expect(delayed.resendFrom).toEqual({ emailOtp: 80_000, phoneOtp: 95_000 })
    expect(delayed.sentAt).toEqual(resent.sentAt)
  })

  it('clears the codes of an earlier request', () => {
    const typed = play(...toCodes, { type: 'codes-changed', codes: { emailOtp: '123456', phoneOtp: '' } })
    const sent: WizardEvent = { type: 'codes-sent', sentAt: 30_000, resendFrom: 60_000 }
    expect(advance(typed, sent)).toMatchObject({
      codes: { emailOtp: '', phoneOtp: '' },
      resendFrom: { emailOtp: 60_000, phoneOtp: 60_000 },
    })
  })

  it.each<[what: string, changed: Wizard['contact'], kept: Partial<Wizard['codes']>]>([
    ['both, where nothing was changed', contact, { emailOtp: '123', phoneOtp: '456' }],
    ['that of the address, where the number was changed', { ...contact, phone: '9876543211' }, { emailOtp: '123' }],
    ['none, where the address was changed', { ...contact, email: 'asha.rao@example.com' }, {}],
  ])('keeps codes that are too recent to be resent: %s', (_what, changed, kept) => {
    const typed = play(...toCodes, { type: 'codes-changed', codes: { emailOtp: '123', phoneOtp: '456' } })
    const editing = advance(typed, { type: 'contact-changed', contact: changed })
    const sent = advance(editing, { type: 'codes-sent', sentAt: 29_999, resendFrom: 59_999 })
    expect(sent.codes).toEqual({ emailOtp: '', phoneOtp: '', ...kept })
    expect(sent.sentAt).toEqual({
      emailOtp: 'emailOtp' in kept ? 0 : 29_999,
      phoneOtp: 'phoneOtp' in kept ? 0 : 29_999,
    })
    expect(sent.resendFrom).toEqual({
      emailOtp: 'emailOtp' in kept ? 30_000 : 59_999,
      phoneOtp: 'phoneOtp' in kept ? 30_000 : 59_999,
    })
  })

  it('knows for which details codes were sent', () => {
    const sent = play(...toCodes)
    expect(hasCodesFor(sent, { account, contact })).toBe(true)
    expect(hasCodesFor(sent, { account, contact: { ...contact, phone: '9876543211' } })).toBe(false)
    expect(hasCodesFor(play(), { account, contact })).toBe(false)
    const editing = advance(sent, { type: 'edit-requested', field: 'email' })
    const { emailOtp } = sent.resendFrom
    for (const [told, kept] of [
      [emailOtp - 1, emailOtp],
      [emailOtp + 5_000, emailOtp + 5_000],
    ] as const) {
      const resendFrom = { emailOtp: kept, phoneOtp: kept }
      expect(advance(editing, { type: 'codes-still-valid', resendFrom: told })).toMatchObject({
        step: 'codes',
        resendFrom,
      })
    }
  })

  it("returns to the account step with the server's errors until it is completed again", () => {
    const rejected = play(...toCodes, { type: 'account-rejected', errors: { password: 'Too common' } })
    expect(rejected).toMatchObject({ step: 'account', account, contact, accountErrors: { password: 'Too common' } })
    expect(advance(rejected, { type: 'account-completed', account })).toMatchObject({ accountErrors: {} })
  })

  it('keeps typed values in both directions', () => {
    const moves: fc.Arbitrary<WizardEvent> = fc.oneof(
      fc.constant({ type: 'went-back' as const }),
      fc.constantFrom('email', 'phone').map((field) => ({ type: 'edit-requested' as const, field })),
      fc.constant({ type: 'account-completed' as const, account }),
      fc.constant({ type: 'codes-sent' as const, sentAt: 0, resendFrom: 5 }),
    )
    fc.assert(
      fc.property(fc.array(moves), (events) => {
        expect(events.reduce(advance, play(...toCodes))).toMatchObject({ account, contact })
      }),
    )
  })
})
