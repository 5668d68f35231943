import { z } from 'zod'
import { languageSchema } from '../shared/languages.ts'
import { defineRoute, doneSchema } from '../shared/route.ts'
import { limits, requiredLine, strongPassword } from '../shared/rules.ts'
import * as error from './errors.ts'
import { strictUserSchema, userSchema } from './user.ts'

/** Changes of the own profile. A module of its own, because the first screen does not need it. */

export const updateProfile = defineRoute({
  method: 'PUT',
  path: '/user/profile',
  access: 'signed-in',
  summary: 'Update your name, and choose the language of your notifications',
  body: z.object({
    fullName: requiredLine('Name', limits.nameChars),
    /** Stays as it is if absent. */
    notificationLanguage: languageSchema.optional(),
  }),
  response: doneSchema.extend({ user: userSchema }),
  strictResponse: doneSchema.extend({ user: strictUserSchema }),
  errors: [error.tooManyProfileChanges],
})

export const changePassword = defineRoute({
  method: 'PUT',
  path: '/user/password',
  access: 'signed-in',
  summary: 'Change your password. Ends your other sessions',
  body: z.object({
    currentPassword: z
      .string('Please enter your current password.')
      .min(1, 'Please enter your current password.')
      .max(limits.passwordChars, error.wrongPassword.message),
    newPassword: strongPassword,
  }),
  response: doneSchema,
  errors: [error.wrongPassword, error.tooManyPasswordChanges('15 minutes'), error.busy],
})
