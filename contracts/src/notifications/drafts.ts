import { z } from 'zod'
import { draftIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import { draftKindSchema } from './draft-kind.ts'

/** Unfinished forms of admins. A module of its own, because the first screen does not need it. */

export const draftNotFound = routeError('not-found', 'Draft not found')
export const draftChanged = routeError('conflict', 'This draft was changed elsewhere')
export const tooManyDrafts = routeError(
  'conflict',
  `You can keep at most ${limits.draftsPerAdmin} drafts. Please delete some first`,
)
/** `wait` is a duration in words, such as '8 minutes'. Each change is an event, forever. */
export const tooManyDraftChanges = (wait: string) =>
  routeError('too-many-requests', `Too many changes of drafts. Please try again in ${wait}.`)

const version = z.coerce.number('version must be a whole number').int().min(0).max(1_000_000_000)

export const draftSummarySchema = z.object({
  _id: draftIdSchema,
  kind: draftKindSchema,
  /** As typed so far; may be empty. */
  title: z.string(),
  /** What the form is about, such as the id of a program. Absent for notifications. */
  about: z.string().optional(),
  /** Increases with each change. */
  version: z.number().int(),
  updatedAt: z.iso.datetime(),
})
export type DraftSummary = z.infer<typeof draftSummarySchema>

/** The form as its client wrote it: JSON, which the server only keeps. */
const content = z
  .string('content must be text')
  .max(limits.draftChars, `content must be at most ${limits.draftChars} characters`)

const idParams = z.object({ id: draftIdSchema })

export const listDrafts = defineRoute({
  method: 'GET',
  path: '/notifications/drafts',
  access: 'admin',
  summary: "The caller's drafts of the last 90 days, the last changed first. At most 50",
  response: z.object({ success: z.literal(true), drafts: z.array(draftSummarySchema) }),
})

export const getDraft = defineRoute({
  method: 'GET',
  path: '/notifications/drafts/:id',
  access: 'admin',
  summary: "One of the caller's drafts",
  params: idParams,
  response: z.object({ success: z.literal(true), draft: draftSummarySchema.extend({ content: z.string() }) }),
  errors: [draftNotFound],
})

export const saveDraft = defineRoute({
  method: 'PUT',
  path: '/notifications/drafts/:id',
  access: 'admin',
  summary: 'Keep an unfinished form. Only its author can read it',
  repetition: 'recognized',
  params: idParams,
  body: z.object({
    kind: draftKindSchema,
    title: z
      .string('title must be text')
      .max(limits.titleChars, `title must be at most ${limits.titleChars} characters`),
    about: z.string('about must be text').max(100, 'about must be at most 100 characters').optional(),
    content,
    /** The version that the client has changed; 0 for a new draft. A draft that was changed since stays as it is. */
    version,
  }),
  bodyLimitBytes: 1024 * 1024,
  response: z.object({ success: z.literal(true), draft: draftSummarySchema }),
  errors: [draftChanged, tooManyDrafts, tooManyDraftChanges('8 minutes')],
})

export const discardDraft = defineRoute({
  method: 'DELETE',
  path: '/notifications/drafts/:id',
  access: 'admin',
  summary: 'Discard a draft. Repeating the call changes nothing',
  repetition: 'recognized',
  params: idParams,
  /** With a version, a draft that was changed since stays. */
  query: z.object({ version: version.optional() }),
  response: doneSchema,
  errors: [draftChanged, tooManyDraftChanges('8 minutes')],
})
