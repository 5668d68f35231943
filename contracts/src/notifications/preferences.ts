import { z } from 'zod'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { type NotificationType, notificationTypes } from './notification.ts'

/** What a user wants to get, and when. A module of its own, because the first screen does not need it. */

/** Changes of a user's preferences in an hour. Each is an event in the user's stream, forever. */
export const tooManyPreferenceChanges = (wait: string) =>
  routeError('too-many-requests', `Too many changes of preferences. Please try again in ${wait}.`)

const mapTypes = <T>(of: (type: NotificationType) => T): Record<NotificationType, T> =>
  // Object.fromEntries loses the key type.
  Object.fromEntries(notificationTypes.map((type) => [type, of(type)])) as Record<NotificationType, T>

/** '00:00' to '23:59' */
const clockTime = z.iso.time({ precision: -1, error: 'Quiet hours need a time such as 22:00' })

/** From the first time to before the second one, as clocks in the zone show them. They may last over midnight. */
const quietHoursSchema = z.object({ from: clockTime, to: clockTime, timeZone: z.string() })
export type QuietHours = z.infer<typeof quietHoursSchema>

/** A type that did not exist yet when the user chose is wanted. */
const choicesSchema = z.object(mapTypes(() => z.boolean().default(true)))

/** The inbox gets everything. */
export const preferencesSchema = z.object({
  push: choicesSchema,
  email: choicesSchema,
  quietHours: quietHoursSchema.nullable(),
})
export type Preferences = z.infer<typeof preferencesSchema>

export const noEmail: Preferences['email'] = mapTypes(() => false)

/** Of a user who has chosen nothing. */
export const defaultPreferences: Preferences = {
  push: mapTypes(() => true),
  email: mapTypes(() => true),
  quietHours: null,
}

/** Names only: JavaScript also takes offsets such as '+05:30', but not in all supported browsers. */
const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** A client that is older than a type leaves it out, which keeps what is stored. */
const choicesChangeSchema = (channel: string) =>
  z.strictObject(
    mapTypes((type) => z.boolean(`${channel} for ${type} must be true or false`).exactOptional()),
    `${channel} must have true or false for known types of notifications`,
  )

export const preferencesChangeSchema = z.object({
  push: choicesChangeSchema('push'),
  email: choicesChangeSchema('email'),
  quietHours: z
    .object(
      {
        ...quietHoursSchema.shape,
        timeZone: z.string('Quiet hours need a time zone').refine(isTimeZone, 'This time zone is not known'),
      },
      'quietHours must be null, or have from, to and timeZone',
    )
    .refine(({ from, to }) => from !== to, {
      message: 'Quiet hours must end at another time than they begin',
      path: ['to'],
    })
    .nullable(),
})
export type PreferencesChange = z.infer<typeof preferencesChangeSchema>

export const getPreferences = defineRoute({
  method: 'GET',
  path: '/user/preferences',
  access: 'signed-in',
  summary: 'Which types of notifications the caller gets by push and e-mail, and the quiet hours',
  response: z.object({
    success: z.literal(true),
    preferences: preferencesSchema,
    /** Whether the portal has a mail server. */
    emailAvailable: z.boolean(),
  }),
})

export const changePreferences = defineRoute({
  method: 'PUT',
  path: '/user/preferences',
  access: 'signed-in',
  summary: 'Choose the types of notifications by push and e-mail, and the quiet hours. Types left out stay as they are',
  body: preferencesChangeSchema,
  response: doneSchema.extend({ preferences: preferencesSchema }),
  errors: [tooManyPreferenceChanges('an hour')],
})

/** Of a token that is not whole, or of another portal. */
export const brokenUnsubscribeLink = routeError(
  'invalid',
  'This link is not complete. Please open it again from the email, or choose your emails in your profile',
)

const unsubscribeToken = z.string(brokenUnsubscribeLink.message).max(200, brokenUnsubscribeLink.message)

export const unsubscribe = defineRoute({
  method: 'POST',
  path: '/notifications/unsubscribe',
  access: 'public',
  summary:
    'Stop all e-mails about notifications, by the link in one of them. Mail programs call it with a form (RFC 8058)',
  query: z.object({ token: unsubscribeToken }),
  response: doneSchema,
  repetition: 'harmless',
  errors: [brokenUnsubscribeLink],
})
