import { z } from 'zod'
import { defineRoute, doneSchema } from '../shared/route.ts'
import {
  atLeastOneCode,
  email,
  limits,
  mobileNumber,
  newPassword,
  oneTimeCode,
  requiredLine,
  strongPassword,
  typedPassword,
} from '../shared/rules.ts'
import { strictUserSchema, strictUserSummarySchema, userSchema, userSummarySchema } from './user.ts'

type UserSchema = typeof userSchema | typeof strictUserSchema

const loggedInAs = (user: UserSchema) => doneSchema.extend({ data: z.object({ user, token: z.string() }) })

export const logIn = defineRoute({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  summary: 'Log in; the token is returned and also set as an httpOnly cookie. Sixty times an hour at most',
  body: z.object({ personalEmail: email, password: typedPassword }),
  response: loggedInAs(userSchema),
  strictResponse: loggedInAs(strictUserSchema),
})

export const logOut = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  access: 'signed-in',
  summary: 'End this session: its token and cookie stop working and its sockets close',
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

export const initiateRegistration = defineRoute({
  method: 'POST',
  path: '/auth/register/initiate',
  access: 'public',
  summary:
    'Start a registration, or start it again with other details: a code goes to the e-mail address and one to the mobile number',
  body: registrationDetailsSchema,
  response: doneSchema,
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
  summary:
    'Finish a registration: at least one code, and every code that is given must be right; a browser finishes only what it has started itself',
  body: z
    .object({ email, mobileNumber, otpEmail: enteredCode, otpMobile: enteredCode })
    .refine((body) => body.otpEmail ?? body.otpMobile, { message: atLeastOneCode, path: ['otpEmail'] }),
  response: doneSchema,
})

export const resendCodes = defineRoute({
  method: 'POST',
  path: '/auth/register/resend-otp',
  access: 'public',
  summary: 'Send fresh codes; at most once in 30 s and five times an hour',
  body: z.object({
    email,
    mobileNumber,
    type: z.enum(['email', 'mobile', 'both'], 'type must be email, mobile or both'),
  }),
  response: doneSchema,
})

export const forgotPassword = defineRoute({
  method: 'POST',
  path: '/auth/forgot-password',
  access: 'public',
  summary:
    'Send a link that resets the password, three in half an hour at most; the answer is the same whether or not one is sent',
  body: z.object({ personalEmail: email }),
  response: doneSchema,
})

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/auth/reset-password/:token',
  access: 'public',
  summary:
    'Set a new password with the token of a reset link, which works once, as all links of one mailbox do together; every session ends',
  params: z.object({ token: z.string().max(200, 'This link is not valid') }),
  body: z.object({ password: newPassword }),
  response: doneSchema,
})

export const resetPasswordByBody = defineRoute({
  method: 'POST',
  path: '/auth/reset-password',
  access: 'public',
  summary: 'The same with the token in the body, which keeps it out of the access logs of proxies',
  body: resetPassword.body.extend({ token: resetPassword.params.shape.token }),
  response: doneSchema,
})

export const getProfile = defineRoute({
  method: 'GET',
  path: '/user/profile',
  access: 'signed-in',
  summary: 'The signed-in user',
  response: z.object({ success: z.literal(true), user: userSchema }),
  strictResponse: z.object({ success: z.literal(true), user: strictUserSchema }),
})

export const updateProfile = defineRoute({
  method: 'PUT',
  path: '/user/profile',
  access: 'signed-in',
  summary: 'Change the own name',
  body: z.object({ fullName: requiredLine('Name', limits.nameChars) }),
  response: doneSchema.extend({ user: userSchema }),
  strictResponse: doneSchema.extend({ user: strictUserSchema }),
})

export const changePassword = defineRoute({
  method: 'PUT',
  path: '/user/password',
  access: 'signed-in',
  summary: 'Change the own password; every other session of the caller ends',
  body: z.object({
    currentPassword: z
      .string('Please enter your current password.')
      .min(1, 'Please enter your current password.')
      .max(limits.passwordChars, 'Your current password is not right'),
    newPassword: strongPassword,
  }),
  response: doneSchema,
})

export const listUsers = defineRoute({
  method: 'GET',
  path: '/admin/users',
  access: 'admin',
  summary: 'All users, by name',
  response: z.object({ success: z.literal(true), users: z.array(userSummarySchema) }),
  strictResponse: z.object({ success: z.literal(true), users: z.array(strictUserSummarySchema) }),
})
