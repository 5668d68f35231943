import {
  catalogEventSchema,
  learnerInvitationsPartition as partition,
  learnerInvitationsProjectionRef,
} from '@portal/contracts/catalog/events'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import {
  type LearnerInvitationId,
  learnerInvitationIdSchema,
  type ProgramRecordId,
  programRecordIdSchema,
  userIdSchema,
} from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import { readModelLimits } from '@portal/platform/read-model/limits'
import type { Entry, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'

const readEvent = storedEventReader(catalogEventSchema)

/** The open invitations to a program. Members are their ids, scores are in the order of inviting. */
const listOf = (programId: ProgramRecordId): string => `invitations:${programId}`
const entrySchema = z.object({
  emailIndex: z.string(),
  address: encryptedTextSchema,
  invitedBy: userIdSchema,
  invitedAt: z.string(),
  expiresAt: z.string(),
})

/** All open invitations. All are valid equally long, so the next to expire is the first. */
const expiryList = 'expiries'
const expirySchema = z.object({ programId: programRecordIdSchema, emailIndex: z.string(), expiresAt: z.string() })

const countRef = (programId: ProgramRecordId) => ({ partition, collection: 'counts', key: programId })
const countSchema = z.number().int().default(0)
const countOf = async (programId: ProgramRecordId, view: Pick<ReadStore, 'get'>): Promise<number> =>
  countSchema.parse(await view.get(countRef(programId)))

const putCount = ({ collection, key }: ReturnType<typeof countRef>, value: number): Write => ({
  op: 'put',
  collection,
  key,
  value,
})

const nextScore = async (list: string, view: Pick<ReadModelView, 'range'>): Promise<number> => {
  const [last] = await view.range(partition, list, { order: 'descending', limit: 1 })
  return (last?.score ?? 0) + 1
}

type Expiry = z.infer<typeof expirySchema>
const expiryOf = async (member: string, { programId, emailIndex, expiresAt }: Expiry, view: ReadModelView) => {
  const value = { programId, emailIndex, expiresAt }
  return { op: 'add', list: expiryList, member, score: await nextScore(expiryList, view), value } as const
}

const types: ReadonlySet<string> = new Set([
  'LearnerInvited',
  'LearnerInvitationResent',
  'LearnerInvitationWithdrawn',
  'LearnerInvitationAccepted',
  'LearnerInvitationExpired',
])

export const learnerInvitationsProjection: Projection = {
  ...learnerInvitationsProjectionRef,
  topics: ['catalog'],
  partitionOf: ({ type }) => (types.has(type) ? partition : undefined),

  apply: async ({ type, data }, view) => {
    const event = readEvent({ type, data })
    switch (event.type) {
      case 'LearnerInvited': {
        const { invitationId: member, programId, programName: _, ...value } = event.data
        const list = listOf(programId)
        if (await view.entry(partition, list, member)) return []
        return [
          { op: 'add', list, member, score: await nextScore(list, view), value },
          await expiryOf(member, event.data, view),
          putCount(countRef(programId), (await countOf(programId, view)) + 1),
        ]
      }
      case 'LearnerInvitationResent': {
        const { invitationId: member, programId, expiresAt } = event.data
        const list = listOf(programId)
        const known = await view.entry(partition, list, member)
        if (!known) return []
        const value = { ...entrySchema.parse(known.value), expiresAt }
        return [{ op: 'add', list, member, score: known.score, value }, await expiryOf(member, event.data, view)]
      }
      case 'LearnerInvitationWithdrawn':
      case 'LearnerInvitationAccepted':
      case 'LearnerInvitationExpired': {
        const { invitationId: member, programId } = event.data
        const list = listOf(programId)
        if (!(await view.entry(partition, list, member))) return []
        return [
          { op: 'remove', list, member },
          { op: 'remove', list: expiryList, member },
          putCount(countRef(programId), (await countOf(programId, view)) - 1),
        ]
      }
      default:
        throw new Error(`${type} is not an event of an invitation`)
    }
  },
}

export type ListedLearnerInvitation = z.infer<typeof entrySchema> & { readonly invitationId: LearnerInvitationId }

const listed = ({ member, value }: Entry): ListedLearnerInvitation => ({
  invitationId: learnerInvitationIdSchema.parse(member),
  ...entrySchema.parse(value),
})

type Page = { readonly page: number; readonly limit: number }

export const createLearnerInvitationReader = (readModel: Pick<ReadStore, 'get' | 'entry' | 'range'>) => ({
  count: (programId: ProgramRecordId): Promise<number> => countOf(programId, readModel),

  find: async (
    programId: ProgramRecordId,
    invitationId: LearnerInvitationId,
  ): Promise<ListedLearnerInvitation | undefined> => {
    const entry = await readModel.entry(partition, listOf(programId), invitationId)
    return entry && listed(entry)
  },

  /** The newest first. Reads what is before the page, too: a program has a bounded number of them, and the later pages are seldom read. */
  page: async (programId: ProgramRecordId, { page, limit }: Page): Promise<readonly ListedLearnerInvitation[]> => {
    const end = page * limit
    const rows: Entry[] = []
    for (let to: number | undefined; rows.length < end;) {
      const most = Math.min(readModelLimits.entriesPerRange, end - rows.length)
      const range = { order: 'descending', limit: most, ...(to !== undefined && { to }) } as const
      const entries = await readModel.range(partition, listOf(programId), range)
      rows.push(...entries)
      const last = entries.at(-1)
      if (!last || entries.length < most) break
      to = last.score - 1
    }
    return rows.slice(end - limit, end).map(listed)
  },

  /** Those that have expired at `now`, in their order. */
  async *expired(
    now: Date,
  ): AsyncGenerator<Pick<Expiry, 'emailIndex'> & { readonly invitationId: LearnerInvitationId }> {
    const limit = readModelLimits.entriesPerRange
    for (let from = 0; ;) {
      const entries = await readModel.range(partition, expiryList, { from, order: 'ascending', limit })
      for (const { member, value } of entries) {
        const { emailIndex, expiresAt } = expirySchema.parse(value)
        if (Date.parse(expiresAt) > now.getTime()) return
        yield { invitationId: learnerInvitationIdSchema.parse(member), emailIndex }
      }
      const last = entries.at(-1)
      if (!last || entries.length < limit) return
      from = last.score + 1
    }
  },
})
export type LearnerInvitationReader = ReturnType<typeof createLearnerInvitationReader>
