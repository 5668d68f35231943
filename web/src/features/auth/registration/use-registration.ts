import { useEffect, useReducer, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import type { Failure } from '../../../lib/http.ts'
import { loginStateOf, type KnownEmail } from '../../../lib/post-login-redirect.ts'
import { forgetRegistration } from '../../../lib/storage.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { type CodesSent, resendCode, sendCodes, signIn, verifyCodes } from '../api.ts'
import { useRedirect } from '../auth-page.tsx'
import type { Codes, Contact } from './forms.ts'
import { keepRegistration, keptRegistration } from './kept-registration.ts'
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
export const subject = 'registration'

/** Whether the codes went out over each channel. Otherwise the server says what it did. */
const isAsAsked = ({ isUnconfirmed, isByEmailOnly }: CodesSent): boolean => !isUnconfirmed && !isByEmailOnly

/** What the account step says after a reload, because no password is ever kept. */
const passwordGone = { password: 'Please enter your password again.' }

/** The wizard and its requests to the server. Each request answers with its failure, which the step shows. */
export const useRegistration = () => {
  // A link to the registration begins a new one. A reload goes on, as does Back from the login page.
  const isReturn = useNavigationType() === 'POP'
  const [wizard, dispatch] = useReducer(advance, newWizard, (fresh) => (isReturn ? keptRegistration() : fresh))
  const isOver = useRef(false)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const redirect = useRedirect()
  const { state: routerState } = useLocation()

  useEffect(() => {
    if (!isOver.current) keepRegistration(wizard)
  }, [wizard])

  const send = async (contact: Contact): Promise<Failure | undefined> => {
    dispatch({ type: 'contact-changed', contact })
    const hasCodes = hasCodesFor(wizard, { account: wizard.account, contact })
    if (wizard.account.password === '') {
      dispatch(
        hasCodes ? { type: 'codes-still-valid', resendFrom: 0 } : { type: 'account-rejected', errors: passwordGone },
      )
      return undefined
    }
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
      if (answer.code === 'too-many-requests' && hasCodes) {
        dispatch({ type: 'codes-still-valid', resendFrom: Date.now() + (answer.retryAfterSeconds ?? 0) * 1000 })
        return undefined
      }
      const accountProblems = accountErrors(answer.errors ?? {})
      if (Object.keys(accountProblems).length > 0) dispatch({ type: 'account-rejected', errors: accountProblems })
      return answer
    }
    if (isAsAsked(answer.data)) toast.success('OTPs sent successfully to your email and phone!', { subject })
    else toast.info(answer.data.message, { subject })
    const sentAt = Date.now()
    dispatch({ type: 'codes-sent', sentAt, resendFrom: sentAt + resendAfterMs })
    return undefined
  }

  const resend = async (code: keyof Codes): Promise<Failure | undefined> => {
    const type = channelOf[code]
    const answer = await resendCode({ email: wizard.contact.email, mobileNumber: wizard.contact.phone, type })
    // The account exists by now.
    if (isOver.current) return undefined
    const now = Date.now()
    if (!answer.success) {
      const { retryAfterSeconds, message } = answer
      if (retryAfterSeconds) dispatch({ type: 'resend-delayed', code, resendFrom: now + retryAfterSeconds * 1000 })
      return { ...answer, message: message || 'Failed to resend OTP. Please try again.' }
    }
    if (isAsAsked(answer.data)) toast.success(resentText[type], { subject })
    else toast.info(answer.data.message, { subject })
    dispatch({ type: 'code-resent', code, sentAt: now, resendFrom: now + resendAfterMs })
    return undefined
  }

  const { password } = wizard.account
  const personalEmail = wizard.contact.email

  const redirectToLogin = () => {
    const state: KnownEmail = { ...loginStateOf(routerState), personalEmail }
    redirect({ to: '/login', state }, redirectAfterMs)
  }

  const logInAndRedirect = async () => {
    const answer = await signIn({ personalEmail, password })
    if (answer.success) return redirect({ to: '/home' }, redirectAfterMs)
    toast.info('Please log in with your new account.')
    return redirectToLogin()
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
      return { ...answer, message: answer.message || fallback }
    }
    isOver.current = true
    forgetRegistration()
    // Stays busy until the redirect.
    if (password === '') {
      toast.success('Account created successfully! Please log in.', { subject })
      redirectToLogin()
      return undefined
    }
    toast.success('Account created successfully! Redirecting to home page...', { subject })
    await logInAndRedirect()
    return undefined
  }

  return { wizard, dispatch, busy, send, resend, verify }
}
