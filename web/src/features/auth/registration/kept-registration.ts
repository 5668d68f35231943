import { z } from 'zod'
import { withStorage } from '../../../lib/storage.ts'
import { forgetRegistration, keptRegistrationKey } from '../api.ts'
import type { Account } from './forms.ts'
import { newWizard, steps, type Wizard } from './wizard.ts'

/*
 * The registration of this tab, over a reload: a phone's browser may drop the page while the learner reads the code in the mail
 * app. Passwords and codes are never kept.
 */

/** The server resends codes for a little longer after a registration began. */
const maxAgeMs = 60 * 60_000

const account = z
  .object({ name: z.string(), university: z.string() })
  .transform((kept): Account => ({ ...kept, password: '', confirmPassword: '' }))
const contact = z.object({ email: z.string(), phone: z.string() })
const timeOfEach = z.object({ emailOtp: z.number(), phoneOtp: z.number() })

/** Also takes away what is not kept. */
const wizardSchema = z.object({
  step: z.enum(steps),
  account,
  contact,
  sentFor: z.object({ account, contact }).exactOptional(),
  sentAt: timeOfEach,
  resendFrom: timeOfEach,
})

const keptSchema = z.object({ at: z.number(), wizard: wizardSchema })

export const keepRegistration = (wizard: Wizard): void => {
  const kept = JSON.stringify({ at: Date.now(), wizard: wizardSchema.parse(wizard) })
  withStorage(() => sessionStorage.setItem(keptRegistrationKey, kept), undefined)
}

const readKept = () => {
  const text = withStorage(() => sessionStorage.getItem(keptRegistrationKey), null)
  if (text === null) return undefined
  try {
    const { at, wizard } = keptSchema.parse(JSON.parse(text))
    if (Date.now() - at <= maxAgeMs) return wizard
  } catch (error) {
    console.warn('the kept registration is invalid, removing it', error)
  }
  forgetRegistration()
  return undefined
}

/** The codes can be entered at once. Any other step needs the password again. */
export const keptRegistration = (): Wizard => {
  const kept = readKept()
  return kept ? { ...newWizard, ...kept, step: kept.step === 'codes' ? 'codes' : 'account' } : newWizard
}
