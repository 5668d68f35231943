import type { AuditObject, AuditRow } from '@portal/contracts/notifications/audit'
import { portalSender, portalSenderName } from '@portal/contracts/notifications/portal-sender'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { PeopleIndex, PeopleSnapshot } from '../audience/people-index.ts'
import { sentCampaignOf } from '../campaign/projection.ts'
import type { ContentCache } from '../inbox/content-cache.ts'
import { campaignList, campaignPartition } from '../read-model.ts'
import { type ActionType, kindOfAction } from './action.ts'
import type { IndexedAction } from './action-index.ts'
import type { ReadTyped } from './read-typed.ts'
import { sentenceOf } from './sentence.ts'

const deletedAccount = 'Deleted account'
/** The name of an invited person is known once they have an account. */
const invited: ReadonlySet<ActionType> = new Set(['person-invited', 'invitation-resent', 'invitation-withdrawn'])

type PresentActionsDeps = {
  /** Of the inboxes and campaigns. */
  readonly readModel: Pick<ReadStore, 'entries'>
  readonly people: Pick<PeopleIndex, 'snapshot'>
  readonly contentCache: Pick<ContentCache, 'many'>
  readonly readTyped: ReadTyped
}

/** An action as a row of the list, and what only the file has: the name of its actor, and the object's id, if any. */
export type PresentedAction = { readonly row: AuditRow; readonly by: string; readonly objectId: string }

const nameOf = ({ person }: Pick<PeopleSnapshot, 'person'>, userId: UserId, unknown = deletedAccount): string => {
  if (userId === portalSender) return portalSenderName
  const { fullName = '' } = person(userId) ?? {}
  // It is empty while the erasure of the account is not finished.
  return fullName === '' ? unknown : fullName
}

const programNameOf = ({ programId, object }: IndexedAction, { programs }: PeopleSnapshot): string | undefined => {
  const id = programId ?? (object?.kind === 'program' ? object.id : undefined)
  return id && programs.get(id)
}

/** Undefined where the object has no page. Universities share one. */
const existing = (
  object: AuditObject | undefined,
  people: PeopleSnapshot,
  sent: ReadonlySet<NotificationId>,
): AuditObject | undefined => {
  if (object?.kind === 'notification') return sent.has(object.id) ? object : undefined
  if (object?.kind === 'program') return people.programs.has(object.id) ? object : undefined
  if (object?.kind === 'person') return people.person(object.id) ? object : undefined
  return object
}

/** Adds the current names of users and notifications. At most 1,000 at once. */
export const createPresentActions = ({ readModel, people, contentCache, readTyped }: PresentActionsDeps) => {
  /** Those of them that were sent. A recalled notification never shows its text, even if this process still has it. */
  const sentOf = async (ids: readonly NotificationId[]) => {
    const entries = await readModel.entries(
      campaignPartition,
      ids.map((member) => ({ list: campaignList, member })),
    )
    const sent = ids.filter((_, index) => entries[index] !== undefined)
    const shown = ids.filter((_, index) => {
      const entry = entries[index]
      return entry !== undefined && sentCampaignOf(entry.value).recalledAt === undefined
    })
    const texts = await contentCache.many(shown)
    const titles = new Map(
      texts.flatMap((text) => (text && !text.isWithdrawn ? [[text.notificationId, text.title] as const] : [])),
    )
    return { sent: new Set(sent), titles }
  }

  return async (actions: readonly IndexedAction[]): Promise<readonly PresentedAction[]> => {
    const notificationIds = new Set(
      actions.flatMap(({ object }) => (object?.kind === 'notification' ? [object.id] : [])),
    )
    const [snapshot, { sent, titles }, typed] = await Promise.all([
      people.snapshot(),
      sentOf([...notificationIds]),
      readTyped(actions),
    ])
    return actions.map((action) => {
      const { id, at, object, requestId } = action
      const { reason = action.reason, reference } = typed.get(id) ?? {}
      const by = 'operator' in action.by ? action.by.operator : nameOf(snapshot, action.by.userId)
      const names = {
        by,
        person:
          object?.kind === 'person'
            ? nameOf(snapshot, object.id, invited.has(action.type) ? 'someone' : deletedAccount)
            : '',
        program: programNameOf(action, snapshot),
        title: object?.kind === 'notification' ? titles.get(object.id) : undefined,
      }
      const leadsTo = existing(object, snapshot, sent)
      const row: AuditRow = {
        id,
        at,
        kind: kindOfAction[action.type],
        says: sentenceOf(action, names),
        ...(leadsTo && { object: leadsTo }),
        ...(reason !== undefined && { reason }),
        ...(reference !== undefined && { reference }),
        ...(requestId !== undefined && { requestId }),
      }
      return { row, by, objectId: object?.id ?? '' }
    })
  }
}
export type PresentActions = ReturnType<typeof createPresentActions>
