import type { InboxChange } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import { type InboxHead, itemList, itemOf, readChangeSchema, readList } from '../read-model.ts'
import type { Presenter } from './presenter.ts'

/**
 * Reads the changes of an inbox after `since`, up to a head. Each sequence number is an arrival, a change of the read
 * state or a recall.
 */
export const createChangesReader =
  (readModel: Pick<ReadModel, 'range'>, present: Presenter) =>
  async (userId: UserId, since: number, at: InboxHead): Promise<readonly InboxChange[] | 'text-missing'> => {
    const count = at.seq - since
    const partition = bucketKey(userId)
    const newest = { to: at.total, order: 'descending', limit: count } as const
    const entries = await readModel.range(partition, itemList(userId), newest)
    const arrived = await present(
      userId,
      entries.filter(({ value }) => itemOf(value).seq > since),
      at,
    )
    if (!arrived.isComplete) return 'text-missing'
    const changes: InboxChange[] = arrived.items.map((notification) => ({
      kind: 'arrived',
      seq: notification.seq,
      notification,
    }))
    if (changes.length < count) {
      const range = { from: since + 1, to: at.seq, order: 'ascending', limit: count } as const
      for (const { score, value } of await readModel.range(partition, readList(userId), range))
        changes.push({ ...readChangeSchema.parse(value), seq: score })
    }
    return changes.toSorted((a, b) => a.seq - b.seq)
  }
