import { z } from 'zod'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'

/** Routes of a user's own devices. A module of its own, because the first screen does not need them. */

export const deviceNotFound = routeError('not-found', 'This device is no longer registered')
/** `wait` is a duration in words, such as '10 minutes'. */
export const tooManyTests = (wait: string) =>
  routeError('too-many-requests', `Too many tests. Please try again in ${wait}.`)

const idParams = z.object({ id: z.string().max(100, 'The id is not valid') })

/** A browser that gets pushes. */
export const deviceSchema = z.object({
  /** Neither the push token nor an address. */
  id: z.string(),
  /** Browser and system: 'Chrome on Android'. */
  name: z.string(),
  /** Absent if an earlier release registered it. */
  addedAt: z.iso.datetime().optional(),
  /** When the portal was last started there, to the day. Absent like `addedAt`. */
  usedAt: z.iso.datetime().optional(),
  /** Whether this session registered it. */
  isThis: z.boolean(),
})
export type Device = z.infer<typeof deviceSchema>

export const listDevices = defineRoute({
  method: 'GET',
  path: '/user/devices',
  access: 'signed-in',
  summary: "The caller's devices that get pushes: the one that calls, then the newest first. At most 20",
  response: z.object({ success: z.literal(true), devices: z.array(deviceSchema) }),
})

export const removeDevice = defineRoute({
  method: 'DELETE',
  path: '/user/devices/:id',
  access: 'signed-in',
  summary: 'Stop pushes to a device of the caller, until the device registers another token or logs in again',
  params: idParams,
  response: doneSchema,
  errors: [deviceNotFound],
})

/** What became of a test. Only a device itself can say that it has shown it. */
export const testOutcomeSchema = z.enum(['accepted', 'unregistered', 'unavailable', 'failed'])
export type TestOutcome = z.infer<typeof testOutcomeSchema>

export const testDevice = defineRoute({
  method: 'POST',
  path: '/user/devices/:id/test',
  access: 'signed-in',
  summary: 'Push a test to a device of the caller. It is in no inbox. At most five in ten minutes',
  params: idParams,
  response: doneSchema.extend({
    /** The tag of the notification that the device shows. */
    testId: z.string(),
    outcome: testOutcomeSchema,
  }),
  errors: [deviceNotFound, tooManyTests('10 minutes')],
})
