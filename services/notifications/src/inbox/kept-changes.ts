import { resumeLimit } from '@portal/contracts/notifications/socket'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Write } from '@portal/platform/read-model/port'
import { type InboxHead, type ReadChange, readList } from '../read-model.ts'

/**
 * Read-state changes and recalls kept per inbox for resumes. More than a resume may return, so a client that misses
 * a dropped one gets a reset anyway.
 */
const keptReads = 2 * resumeLimit

/** Keeps a change that is not an arrival. Reuses each slot after `keptReads` changes, so nothing needs trimming. */
export const keepChange = (userId: UserId, head: InboxHead, change: ReadChange): Write => ({
  op: 'add',
  list: readList(userId),
  // seq − total counts these changes, because every other change is an arrival.
  member: String((head.seq - head.total) % keptReads),
  score: head.seq,
  value: change,
})
