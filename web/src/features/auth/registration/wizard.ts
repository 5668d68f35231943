import type { Account, Codes, Contact } from './forms.ts'

/** The server's errors about the account, by field. */
export type AccountErrors = Partial<Readonly<Record<keyof Account, string>>>

/** The state of the registration. Typed values are kept when the user moves between the steps. */
export type Wizard = {
  readonly step: 'account' | 'contact' | 'codes'
  readonly account: Account
  readonly contact: Contact
  readonly codes: Codes
  readonly accountErrors: AccountErrors
  /** The field that an 'edit' link focuses. */
  readonly focus?: keyof Contact
  /** The details for which the current codes were sent. Other details need new codes. */
  readonly sentFor?: { readonly account: Account; readonly contact: Contact }
  /** When each newest code was sent, by the clock of this device (ms since 1970); 0 before the first. */
  readonly sentAt: Readonly<Record<keyof Codes, number>>
  /** When each code may be resent, by the same clock. */
  readonly resendFrom: Readonly<Record<keyof Codes, number>>
}

export type WizardEvent =
  | { readonly type: 'account-completed'; readonly account: Account }
  | { readonly type: 'contact-changed'; readonly contact: Contact }
  | { readonly type: 'codes-sent'; readonly sentAt: number; readonly resendFrom: number }
  | { readonly type: 'codes-still-valid'; readonly resendFrom: number }
  | { readonly type: 'account-rejected'; readonly errors: AccountErrors }
  | { readonly type: 'code-resent'; readonly code: keyof Codes; readonly sentAt: number; readonly resendFrom: number }
  | { readonly type: 'resend-delayed'; readonly code: keyof Codes; readonly resendFrom: number }
  | { readonly type: 'codes-changed'; readonly codes: Codes }
  | { readonly type: 'went-back' }
  | { readonly type: 'edit-requested'; readonly field: keyof Contact }

export const newWizard: Wizard = {
  step: 'account',
  account: { name: '', university: '', password: '', confirmPassword: '' },
  contact: { email: '', phone: '' },
  codes: { emailOtp: '', phoneOtp: '' },
  accountErrors: {},
  sentAt: { emailOtp: 0, phoneOtp: 0 },
  resendFrom: { emailOtp: 0, phoneOtp: 0 },
}

export const steps = ['account', 'contact', 'codes'] as const satisfies readonly Wizard['step'][]

const previousStep = { account: 'account', contact: 'account', codes: 'contact' } as const

const resendNotBefore = ({ emailOtp, phoneOtp }: Wizard['resendFrom'], from: number): Wizard['resendFrom'] => ({
  emailOtp: Math.max(emailOtp, from),
  phoneOtp: Math.max(phoneOtp, from),
})

/**
 * The server does not resend a code that it sent to the same address within the last seconds, so that code stays valid. Other
 * codes of an earlier request are invalid.
 */
const afterSending = (
  { contact, sentFor, codes, sentAt: before, resendFrom }: Wizard,
  { sentAt, resendFrom: next }: Extract<WizardEvent, { type: 'codes-sent' }>,
): Pick<Wizard, 'codes' | 'sentAt' | 'resendFrom'> => {
  const isSameEmail = sentFor?.contact.email === contact.email
  const isSamePhone = sentFor?.contact.phone === contact.phone
  const keepsEmail = isSameEmail && resendFrom.emailOtp > sentAt
  const keepsPhone = isSameEmail && isSamePhone && resendFrom.phoneOtp > sentAt
  return {
    codes: { emailOtp: keepsEmail ? codes.emailOtp : '', phoneOtp: keepsPhone ? codes.phoneOtp : '' },
    sentAt: { emailOtp: keepsEmail ? before.emailOtp : sentAt, phoneOtp: keepsPhone ? before.phoneOtp : sentAt },
    resendFrom: {
      emailOtp: keepsEmail ? resendFrom.emailOtp : next,
      phoneOtp: keepsPhone ? resendFrom.phoneOtp : next,
    },
  }
}

const unfocused = ({ focus: _focus, ...wizard }: Wizard): Wizard => wizard

export const advance = (wizard: Wizard, event: WizardEvent): Wizard => {
  switch (event.type) {
    case 'account-completed':
      return { ...unfocused(wizard), step: 'contact', account: event.account, accountErrors: {} }
    case 'contact-changed':
      return { ...wizard, contact: event.contact }
    case 'codes-sent':
      return {
        ...unfocused(wizard),
        step: 'codes',
        sentFor: { account: wizard.account, contact: wizard.contact },
        ...afterSending(wizard, event),
      }
    case 'codes-still-valid':
      return { ...unfocused(wizard), step: 'codes', resendFrom: resendNotBefore(wizard.resendFrom, event.resendFrom) }
    case 'account-rejected':
      return { ...unfocused(wizard), step: 'account', accountErrors: event.errors }
    case 'code-resent':
      return {
        ...wizard,
        sentAt: { ...wizard.sentAt, [event.code]: event.sentAt },
        resendFrom: { ...wizard.resendFrom, [event.code]: event.resendFrom },
      }
    case 'resend-delayed':
      return { ...wizard, resendFrom: { ...wizard.resendFrom, [event.code]: event.resendFrom } }
    case 'codes-changed':
      return { ...wizard, codes: event.codes }
    case 'went-back':
      return { ...unfocused(wizard), step: previousStep[wizard.step] }
    case 'edit-requested':
      return { ...wizard, step: 'contact', focus: event.field }
  }
}

/** Whether codes were sent for exactly these details. */
export const hasCodesFor = ({ sentFor }: Wizard, details: { account: Account; contact: Contact }): boolean =>
  sentFor !== undefined && JSON.stringify(sentFor) === JSON.stringify(details)
