import { z } from 'zod'
import { sessionIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'

/** Routes of a user's own sessions. A module of its own, because the first screen does not need them. */

export const sessionNotFound = routeError('not-found', 'This device is no longer signed in')

/** Of one user: far more than a person has devices, and few enough to end them all at once. The next login ends the oldest one. */
export const maxSessions = 100

/** A place where the user is signed in. */
export const openSessionSchema = z.object({
  id: sessionIdSchema,
  /** Browser and system: 'Chrome on Android'. */
  device: z.string(),
  /** When the user logged in there. Absent if an earlier release recorded it. */
  startedAt: z.iso.datetime().optional(),
  /** Recorded now and then only. Absent like `startedAt`. */
  usedAt: z.iso.datetime().optional(),
  /** Whether this session asks. */
  isThis: z.boolean(),
})
export type OpenSession = z.infer<typeof openSessionSchema>

export const listSessions = defineRoute({
  method: 'GET',
  path: '/user/sessions',
  access: 'signed-in',
  summary: 'Where the caller is signed in: this session, then the newest first. At most 100',
  response: z.object({ success: z.literal(true), sessions: z.array(openSessionSchema) }),
})

export const signOutSession = defineRoute({
  method: 'DELETE',
  path: '/user/sessions/:id',
  access: 'signed-in',
  summary: 'End a session of the caller, with its token and sockets',
  params: z.object({ id: sessionIdSchema }),
  response: doneSchema,
  errors: [sessionNotFound],
})

export const signOutOtherSessions = defineRoute({
  method: 'DELETE',
  path: '/user/sessions',
  access: 'signed-in',
  summary: 'End all sessions of the caller but this one. Answers how many have ended',
  response: doneSchema.extend({ count: z.int() }),
})
