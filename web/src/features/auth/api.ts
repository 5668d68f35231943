import {
  forgotPassword,
  initiateRegistration,
  logIn,
  resendCodes,
  resetPasswordByBody,
  verifyRegistration,
} from '@portal/contracts/auth/http'
import type { User } from '@portal/contracts/auth/user'
import { call, type Answer, type CallInput } from '../../lib/http.ts'
import { startSession } from '../../lib/session.ts'

/** Logs in and, if that succeeds, stores user, token and flag. */
export const signIn = async (credentials: CallInput<typeof logIn>['body']): Promise<Answer<User>> => {
  const answer = await call(logIn, { body: credentials })
  if (!answer.success) return answer
  const { user, token } = answer.data.data
  startSession({ user, token })
  return { success: true, data: user }
}

export const sendCodes = (body: CallInput<typeof initiateRegistration>['body']) => call(initiateRegistration, { body })

export type CodesSent = Extract<Awaited<ReturnType<typeof sendCodes>>, { success: true }>['data']

export const verifyCodes = (body: CallInput<typeof verifyRegistration>['body']) => call(verifyRegistration, { body })

export const resendCode = (body: CallInput<typeof resendCodes>['body']) => call(resendCodes, { body })

export const requestResetLink = (personalEmail: string) => call(forgotPassword, { body: { personalEmail } })

export const setNewPassword = (token: string, password: string) =>
  call(resetPasswordByBody, { body: { token, password } })
