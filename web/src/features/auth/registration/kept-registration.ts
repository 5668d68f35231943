import { z } from 'zod'
import { forgetRegistration, keptRegistrationKey, withStorage } from '../../../lib/storage.ts'
import { newWizard, type Wizard } from './wizard.ts'

/*
 * The registration whose codes this tab waits for, over a reload: a phone's browser may drop the page while the learner reads the
 * code in the mail app. Passwords and codes are never kept.
 */

/** How long a registration is kept after its newest code was sent. The server takes codes for a little longer. */
const maxAgeMs = 60 * 60_000

const timeOfEach = z.object({ emailOtp: z.number(), phoneOtp: z.number() })
const keptSchema = z.object({
  name: z.string(),
  university: z.string(),
  email: z.string(),
  phone: z.string(),
  sentAt: timeOfEach,
  resendFrom: timeOfEach,
})
type KeptRegistration = z.infer<typeof keptSchema>

/** Keeps nothing before codes were sent, and removes what another registration of this tab has left. */
export const keepRegistration = ({ sentFor, sentAt, resendFrom }: Wizard): void => {
  if (!sentFor) return forgetRegistration()
  const { name, university } = sentFor.account
  const kept: KeptRegistration = { name, university, ...sentFor.contact, sentAt, resendFrom }
  return withStorage(() => sessionStorage.setItem(keptRegistrationKey, JSON.stringify(kept)), undefined)
}

const readKept = (): KeptRegistration | undefined => {
  const text = withStorage(() => sessionStorage.getItem(keptRegistrationKey), null)
  if (text === null) return undefined
  try {
    const kept = keptSchema.parse(JSON.parse(text))
    if (Date.now() - Math.max(...Object.values(kept.sentAt)) <= maxAgeMs) return kept
  } catch (error) {
    console.warn('the kept registration is invalid, ignoring it', error)
  }
  return undefined
}

/** The state in which the wizard starts: at the step of the codes, or new. */
export const keptRegistration = (): Wizard => {
  const kept = readKept()
  if (!kept) return newWizard
  const { name, university, email, phone, sentAt, resendFrom } = kept
  const account = { name, university, password: '', confirmPassword: '' }
  const contact = { email, phone }
  return { ...newWizard, step: 'codes', account, contact, sentFor: { account, contact }, sentAt, resendFrom }
}
