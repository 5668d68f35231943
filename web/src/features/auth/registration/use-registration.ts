import { useReducer, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Failure } from '../../../lib/http.ts'
import { loginStateOf } from '../../../lib/post-login-redirect.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { resendCode, sendCodes, signIn, verifyCodes } from '../api.ts'
import { useRedirect } from '../auth-page.tsx'
import type { Codes, Contact } from './forms.ts'
import { resendAfterMs } from './use-countdown.ts'
import { advance, hasCodesFor, newWizard, type AccountErrors } from './wizard.ts'

const redirectAfterMs = 2000

const resentText = {
  email: 'OTP resent successfully to your email!',
  mobile: 'OTP resent successfully to your mobile!',
}

const channelOf = { emailOtp: 'email', phoneOtp: 'mobile' } as const satisfies Record<
  keyof Codes,
  keyof typeof resentText
>

/** Whether the server failed, as opposed to rejecting the request. */
const isServerError = ({ code }: Failure): boolean => code === undefined || code === 'internal'

/** The server's errors about the details of step 1, by the names of its fields. */
const accountErrors = ({ fullName, universityName, password }: Readonly<Record<string, string>>): AccountErrors => ({
  ...(fullName === undefined ? {} : { name: fullName }),
  ...(universityName === undefined ? {} : { university: universityName }),
  ...(password === undefined ? {} : { password }),
})

/** A newer toast of the form replaces the older one. */
const subject = 'registration'

const fieldsOf = ({ errors }: Failure): readonly string[] => Object.keys(errors ?? {})

const isTakenEmail = ({ code }: Failure): boolean => code === 'conflict'

/** Whether the message is shown at a field of the account or contact step. */
const hasDetailsField = (failure: Failure): boolean =>
  isTakenEmail(failure) ||
  fieldsOf(failure).some((name) => /^(fullName|universityName|password|personalEmail|mobileNumber)$/.test(name))

/** Whether the message is shown at the field of a code. */
const hasCodeField = (failure: Failure): boolean =>
  failure.code === 'invalid' || fieldsOf(failure).some((name) => /^(otpEmail|otpMobile)$/.test(name))

/** The wizard and its requests to the server. */
export const useRegistration = () => {
  const [wizard, dispatch] = useReducer(advance, newWizard)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const redirect = useRedirect()
  const { state: routerState } = useLocation()

  const send = async (contact: Contact): Promise<Failure | undefined> => {
    dispatch({ type: 'contact-changed', contact })
    setBusy(true)
    const answer = await sendCodes({
      fullName: wizard.account.name,
      universityName: wizard.account.university,
      password: wizard.account.password,
      personalEmail: contact.email,
      mobileNumber: contact.phone,
    })
    setBusy(false)
    if (!answer.success) {
      // It is too early for new codes, but those sent before are still valid. This is not an error for the user.
      if (answer.code === 'too-many-requests' && hasCodesFor(wizard, { account: wizard.account, contact })) {
        dispatch({ type: 'codes-still-valid', resendFrom: Date.now() + (answer.retryAfterSeconds ?? 0) * 1000 })
        return undefined
      }
      if (hasDetailsField(answer)) toast.dismiss(subject)
      else toast.error(answer.message || 'Failed to send OTPs. Please try again.', { subject })
      const accountProblems = accountErrors(answer.errors ?? {})
      if (Object.keys(accountProblems).length > 0) dispatch({ type: 'account-rejected', errors: accountProblems })
      return answer
    }
    if (answer.data.isUnconfirmed) toast.info(answer.data.message, { subject })
    else toast.success('OTPs sent successfully to your email and phone!', { subject })
    const sentAt = Date.now()
    dispatch({ type: 'codes-sent', sentAt, resendFrom: sentAt + resendAfterMs })
    return undefined
  }

  const resend = async (code: keyof Codes): Promise<void> => {
    const type = channelOf[code]
    const answer = await resendCode({ email: wizard.contact.email, mobileNumber: wizard.contact.phone, type })
    if (answer.success && answer.data.isUnconfirmed) toast.info(answer.data.message, { subject })
    else if (answer.success) toast.success(resentText[type], { subject })
    else toast.error(answer.message || 'Failed to resend OTP. Please try again.', { subject })
    const waitMs = answer.success ? resendAfterMs : (answer.retryAfterSeconds ?? 0) * 1000
    if (waitMs > 0) dispatch({ type: 'code-resent', code, resendFrom: Date.now() + waitMs })
  }

  const logInAndRedirect = async () => {
    const { contact, account } = wizard
    const answer = await signIn({ personalEmail: contact.email, password: account.password })
    if (answer.success) return redirect({ to: '/home' }, redirectAfterMs)
    toast.info('Please log in with your new account.')
    return redirect({ to: '/login', state: loginStateOf(routerState) }, redirectAfterMs)
  }

  const verify = async (codes: Codes): Promise<Failure | undefined> => {
    setBusy(true)
    const answer = await verifyCodes({
      email: wizard.contact.email,
      mobileNumber: wizard.contact.phone,
      otpEmail: codes.emailOtp,
      otpMobile: codes.phoneOtp,
    })
    if (!answer.success) {
      setBusy(false)
      const fallback = isServerError(answer)
        ? 'Failed to verify OTPs. Please try again.'
        : 'OTP verification failed. Please try again.'
      const message = answer.message || fallback
      if (hasCodeField(answer)) toast.dismiss(subject)
      else toast.error(message, { subject })
      return { ...answer, message }
    }
    toast.success('Account created successfully! Redirecting to home page...', { subject })
    // Stays busy until the redirect.
    await logInAndRedirect()
    return undefined
  }

  return { wizard, dispatch, busy, send, resend, verify }
}
