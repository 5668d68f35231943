import { z } from 'zod'
import { factIdSchema, programRecordIdSchema, toolIdSchema } from '../shared/ids.ts'
import { hasCredentials, isPortalOrHttpsUrl } from '../shared/https-address.ts'
import { credentialsInImageUrl, imageUrlPattern, invalidImageUrl, imageUrlOrNone } from '../shared/image-url.ts'
import { limits, optionalLine, optionalText, requiredLine, requiredText } from '../shared/rules.ts'

/** Registration fee in rupees for programs that do not set one. */
export const defaultRegistrationFee = '1000'
export const defaultSemesterCount = 3

const toolFieldsRequired = 'Tool name and logo URL are required'

export const toolBody = z.object({
  name: requiredLine('Tool name', limits.nameChars, toolFieldsRequired),
  logoUrl: requiredLine('Logo URL', limits.urlChars, toolFieldsRequired)
    .refine((text) => text === '' || isPortalOrHttpsUrl(text), { error: invalidImageUrl('Logo URL'), abort: true })
    .refine((text) => !hasCredentials(text), credentialsInImageUrl('Logo URL'))
    .meta({ pattern: imageUrlPattern }),
})

/** Missing content: 'Fact content is required'. */
export const factBody = z.object({
  content: requiredText('Fact content', limits.detailChars),
  imageUrl: imageUrlOrNone(limits.urlChars).default(''),
  highlight: optionalLine('Highlight', limits.shortTextChars),
})

export const toolSchema = z.object({ _id: toolIdSchema, name: z.string(), logoUrl: z.string() })
export type Tool = z.infer<typeof toolSchema>

/** `imageUrl` and `highlight` are empty if not set. */
export const factSchema = z.object({
  _id: factIdSchema,
  content: z.string(),
  imageUrl: z.string(),
  highlight: z.string(),
})
export type Fact = z.infer<typeof factSchema>

/** The human-readable code of a program, such as 'MIN-AI-01'. In JSON it is the field `programId`. */
export const programCodeSchema = z.string().brand<'ProgramCode'>()

export const programSchema = z.object({
  _id: programRecordIdSchema,
  /** Increases with every change. Absent if the last change is older than revision counting. */
  revision: z.number().int().optional(),
  /** Unique. Entered by the admin or generated. */
  programId: programCodeSchema,
  programName: z.string(),
  detail: z.string(),
  semesterCount: z.number().int(),
  /** Free text, such as '₹45,000'. */
  fee: z.string(),
  collegeName: z.string(),
  eligibility: z.string(),
  semesters: z.array(z.object({ fee: z.string() })),
  enrollmentDetails: z.object({ fee: z.string() }),
  toolkit: z.array(toolSchema),
  facts: z.array(factSchema),
})
export type Program = z.infer<typeof programSchema>

/** The program's revision, 0 if it predates revision counting. Updates send it back for optimistic concurrency. */
export const revisionOf = ({ revision = 0 }: Pick<Program, 'revision'>): number => revision

const semesterCountMessage = `Semester count must be a whole number from 1 to ${limits.semesters}`

/**
 * A complete program as an admin saves it. Tools and facts that the program already has are matched by `_id`. Any
 * other `_id`, such as a timestamp from the form, is replaced by a new one.
 * Missing name: 'Program name is required'.
 */
export const programBody = z.object({
  programId: optionalLine('Program ID', limits.nameChars),
  programName: requiredLine('Program name', limits.nameChars),
  detail: optionalText('Detail', limits.detailChars),
  semesterCount: z
    .number(semesterCountMessage)
    .int(semesterCountMessage)
    .min(1, semesterCountMessage)
    .max(limits.semesters, semesterCountMessage)
    .default(defaultSemesterCount),
  fee: optionalLine('Fee', limits.shortTextChars),
  collegeName: optionalLine('College name', limits.nameChars),
  eligibility: optionalText('Eligibility', limits.detailChars),
  semesters: z
    .array(z.object({ fee: optionalLine('Semester fee', limits.shortTextChars) }))
    .max(limits.semesters, `A program can have at most ${limits.semesters} semesters`)
    .default([]),
  enrollmentDetails: z
    .object({ fee: optionalLine('Registration fee', limits.shortTextChars, defaultRegistrationFee) })
    .prefault({}),
  toolkit: z
    .array(toolBody.extend({ _id: z.string().optional() }))
    .max(limits.toolsPerProgram, `A program can have at most ${limits.toolsPerProgram} tools`)
    .default([]),
  facts: z
    .array(factBody.extend({ _id: z.string().optional() }))
    .max(limits.factsPerProgram, `A program can have at most ${limits.factsPerProgram} facts`)
    .default([]),
})
export type ProgramBody = z.output<typeof programBody>

/**
 * With `revision`, the update fails if the program has changed since that revision. Without it, the update
 * overwrites the program.
 */
export const programUpdateBody = programBody.extend({
  revision: z.number('Revision must be a whole number').int('Revision must be a whole number').optional(),
})
