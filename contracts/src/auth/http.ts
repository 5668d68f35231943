import { z } from 'zod'
import { defineRoute, doneSchema } from '../shared/route.ts'
import {
  atLeastOneCode,
  email,
  knownEmail,
  limits,
  mobileNumber,
  newPassword,
  oneTimeCode,
  requiredLine,
  typedPassword,
} from '../shared/rules.ts'
import * as error from './errors.ts'
import { strictUserSchema, strictUserSummarySchema, userSchema, userSummarySchema } from './user.ts'

// The service binds these from this module, too.
export * from './profile-http.ts'

type UserSchema = typeof userSchema | typeof strictUserSchema

const loggedInAs = (user: UserSchema) => doneSchema.extend({ data: z.object({ user, token: z.string() }) })

export const logIn = defineRoute({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  summary: 'Log in. Returns a token and sets it as a cookie. At most 60 times an hour',
  body: z.object({ personalEmail: knownEmail, password: typedPassword }),
  response: loggedInAs(userSchema),
  strictResponse: loggedInAs(strictUserSchema),
  errors: [
    error.invalidCredentials,
    error.deactivated,
    error.firstPasswordExpired,
    error.secondStepRequired,
    error.tooManyFailedLogins('15 minutes'),
    error.tooManyLogins('15 minutes'),
    error.busy,
  ],
})

export const logOut = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  access: 'signed-in',
  summary: 'End this session, with its token, cookie and sockets',
  response: doneSchema,
})

export const registrationDetailsSchema = z.object({
  fullName: requiredLine('Name', limits.nameChars),
  personalEmail: email,
  mobileNumber,
  universityName: requiredLine('University Name', limits.nameChars),
  password: newPassword,
})

/**
 * Set (httpOnly) for a little over an hour when a registration starts. If a later call carries it, its value must
 * match the latest start of that registration. This stops a victim from completing a registration that a stranger
 * has restarted for their address with another name and password. Clients without cookies may omit it.
 */
export const registrationCookie = 'portal_registration'

/**
 * If `isUnconfirmed`, mail or SMS did not answer: a code may still arrive, and is valid then. If `isByEmailOnly`, no SMS was sent,
 * because the portal sends a limited number of them.
 */
const codesSentSchema = doneSchema.extend({
  isUnconfirmed: z.literal(true).optional(),
  isByEmailOnly: z.literal(true).optional(),
})

export const initiateRegistration = defineRoute({
  method: 'POST',
  path: '/auth/register/initiate',
  access: 'public',
  summary: 'Start or restart a registration. Sends one code by email and one by SMS',
  body: registrationDetailsSchema,
  response: codesSentSchema,
  errors: [
    error.notListed,
    error.alreadyRegistered,
    error.sentTooRecently('30 seconds'),
    error.tooManyCodes('15 minutes'),
    error.tooManyRegistrations('15 minutes'),
    error.sendFailed,
    error.busy,
  ],
})

/** An empty code counts as absent. */
const enteredCode = z
  .union([z.literal(''), oneTimeCode], 'OTP must be exactly 6 digits')
  .optional()
  .transform((code) => code || undefined)

export const verifyRegistration = defineRoute({
  method: 'POST',
  path: '/auth/register/verify-otp',
  access: 'public',
  summary: 'Complete a registration. Requires at least one valid code and the browser that started it',
  body: z
    .object({ email, mobileNumber, otpEmail: enteredCode, otpMobile: enteredCode })
    .refine((body) => body.otpEmail ?? body.otpMobile, { message: atLeastOneCode, path: ['otpEmail'] }),
  response: doneSchema,
  errors: [
    error.wrongCode,
    error.codeExpired,
    error.startedElsewhere,
    error.registrationNotFound,
    error.alreadyRegistered,
    error.numberInUse,
    error.tooManyWrongCodes,
    error.tooManyChecks('15 minutes'),
    error.busy,
  ],
})

export const resendCodes = defineRoute({
  method: 'POST',
  path: '/auth/register/resend-otp',
  access: 'public',
  summary: 'Send new codes. At most once every 30 seconds and five times an hour',
  body: z.object({
    email,
    mobileNumber,
    type: z.enum(['email', 'mobile', 'both'], 'type must be email, mobile or both'),
  }),
  response: codesSentSchema,
  errors: [
    error.registrationNotFound,
    error.alreadyRegistered,
    error.sentTooRecently('30 seconds'),
    error.tooManyCodes('15 minutes'),
    error.resendFailed,
  ],
})

export const forgotPassword = defineRoute({
  method: 'POST',
  path: '/auth/forgot-password',
  access: 'public',
  summary: 'Send a password reset link, if the address has an account. At most three times in half an hour',
  body: z.object({ personalEmail: knownEmail }),
  response: doneSchema,
  errors: [error.tooManyLinks('15 minutes'), error.linkNotSent],
})

const resetErrors = [
  error.linkNotValid,
  // Of the link of an invitation.
  error.alreadyRegistered,
  error.noRoomForAdmin,
  error.tooManyResets('15 minutes'),
  error.busy,
]

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/auth/reset-password/:token',
  access: 'public',
  summary:
    'Set a new password with the token of a reset link. Single use: using one link invalidates the others and ends all sessions. The token of an invitation creates the account',
  params: z.object({ token: z.string().max(200, 'This link is not valid') }),
  body: z.object({ password: newPassword }),
  response: doneSchema,
  errors: resetErrors,
})

export const resetPasswordByBody = defineRoute({
  method: 'POST',
  path: '/auth/reset-password',
  access: 'public',
  summary: 'The same with the token in the body, which keeps it out of access logs',
  body: resetPassword.body.extend({ token: resetPassword.params.shape.token }),
  response: doneSchema,
  errors: resetErrors,
})

export const getProfile = defineRoute({
  method: 'GET',
  path: '/user/profile',
  access: 'signed-in',
  summary: 'Your profile',
  response: z.object({ success: z.literal(true), user: userSchema }),
  strictResponse: z.object({ success: z.literal(true), user: strictUserSchema }),
})

export const listUsers = defineRoute({
  method: 'GET',
  path: '/admin/users',
  access: 'admin',
  summary: 'All users, sorted by name',
  response: z.object({ success: z.literal(true), users: z.array(userSummarySchema) }),
  strictResponse: z.object({ success: z.literal(true), users: z.array(strictUserSummarySchema) }),
})
