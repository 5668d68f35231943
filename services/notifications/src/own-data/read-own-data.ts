import { type FeeAccount, openInstallments, paisePerRupee } from '@portal/contracts/catalog/installments'
import { defaultPreferences } from '@portal/contracts/notifications/preferences'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Session } from '@portal/platform/session/session'
import { z } from 'zod'
import type { PeopleIndex } from '../audience/people-index.ts'
import type { PersonEnrollments } from '../audience/person-enrollments.ts'
import { readSomeUsers } from '../audience/read-users.ts'
import type { OwnDevices } from '../device/own-devices.ts'
import type { InboxReader } from '../inbox/inbox-reader.ts'
import type { DraftsReader } from '../draft/drafts-reader.ts'
import type { PreferencesReader } from '../preferences/preferences-reader.ts'
import { itemList, itemOf, type ItemState } from '../read-model.ts'

const notificationsPerRead = 100

const profileSchema = z.object({
  fullName: z.string(),
  personalEmail: z.string(),
  mobileNumber: z.string().optional(),
  universityName: z.string(),
  universityId: universityIdSchema.optional().catch(undefined),
  studentCode: z.string(),
  notificationLanguage: z.string().optional(),
})

type OwnDataDeps = {
  readonly audience: Pick<ReadStore, 'entries'>
  readonly inboxes: Pick<ReadStore, 'entries'>
  readonly people: Pick<PeopleIndex, 'population'>
  readonly enrollmentsOf: PersonEnrollments
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly inbox: Pick<InboxReader, 'page'>
  readonly ownDevices: Pick<OwnDevices, 'list'>
  readonly preferences: PreferencesReader
  readonly drafts: Pick<DraftsReader, 'list'>
  readonly now: () => Date
  /** Older ones stay in the inbox, and the file counts them. */
  readonly maxNotifications: number
}

/** Names of fields that a reader understands. Ids and internal numbers are left out. */
const notificationOf = (item: InboxItem, { emailedAt, clickedAt }: Pick<ItemState, 'emailedAt' | 'clickedAt'>) => ({
  title: item.title,
  message: item.message,
  type: item.type,
  button: item.button,
  image: item.image,
  receivedAt: item.deliveredAt,
  readAt: item.readAt,
  emailedAt,
  buttonFollowedAt: clickedAt,
  withdrawnAt: item.withdrawnAt,
})

const feesOf = (account: FeeAccount) => ({
  paidRupees: account.paidPaise / paisePerRupee,
  openInstallments: openInstallments(account).map(({ number, openPaise }) => ({
    installment: number,
    openRupees: openPaise / paisePerRupee,
  })),
})

export const createReadOwnData = (deps: OwnDataDeps) => {
  const {
    audience,
    inboxes,
    people,
    enrollmentsOf,
    vault,
    inbox,
    ownDevices,
    preferences,
    drafts,
    now,
    maxNotifications,
  } = deps

  const accountOf = async (userId: UserId) => {
    const [user] = await readSomeUsers(audience, bucketKey(userId), [userId])
    const json = user && (await vault.decrypt(userId, user.profile))
    if (user === undefined || json === undefined) return undefined
    const profile = profileSchema.parse(JSON.parse(json))
    const { fullName, personalEmail, mobileNumber, studentCode, notificationLanguage, ...stated } = profile
    const [{ currentUniversityName }, enrolled] = await Promise.all([people.population(), enrollmentsOf(userId)])
    return {
      name: fullName,
      email: personalEmail,
      emailConfirmed: user.emailVerified,
      mobileNumber,
      university: currentUniversityName(stated),
      studentCode,
      notificationLanguage,
      role: user.role,
      registeredAt: user.registeredAtMs === 0 ? undefined : new Date(user.registeredAtMs).toISOString(),
      enrollments: enrolled.map(({ programName, currentSemester, paymentStatus, feeAccount }) => ({
        program: programName,
        currentSemester,
        fees: paymentStatus,
        ...(feeAccount && feesOf(feeAccount)),
      })),
    }
  }

  const devicesOf = async (session: Session) =>
    (await ownDevices.list(session)).map(({ name, addedAt, usedAt }) => ({ name, addedAt, lastUsedAt: usedAt }))

  /** Their author can open them in the portal. */
  const draftsOf = async (userId: UserId) =>
    (await drafts.list(userId)).map(({ kind, title, updatedAt }) => ({ kind, title, changedAt: updatedAt }))

  const preferencesOf = async (userId: UserId) => (await preferences.of([userId])).get(userId) ?? defaultPreferences

  /**
   * Newest first. Arrivals during the read move others to later pages, so known ones are skipped. Returns how many are left out.
   */
  async function* notificationsOf(userId: UserId): AsyncGenerator<ReturnType<typeof notificationOf>, number> {
    const known = new Set<string>()
    for (let page = 1; ; page++) {
      await yieldToEventLoop()
      const { notifications, pagination } = await inbox.page(userId, { page, limit: notificationsPerRead })
      const entries = await inboxes.entries(
        bucketKey(userId),
        notifications.map(({ _id: member }) => ({ list: itemList(userId), member })),
      )
      for (const [index, item] of notifications.entries()) {
        if (known.has(item._id)) continue
        if (known.size >= maxNotifications) return pagination.total - known.size
        known.add(item._id)
        const entry = entries[index]
        yield notificationOf(item, entry ? itemOf(entry.value) : {})
      }
      if (notifications.length < notificationsPerRead) return 0
    }
  }

  async function* fileOf(head: object, userId: UserId): AsyncGenerator<string, void> {
    // Everything but the closing brace.
    yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "notifications": [`
    const notifications = notificationsOf(userId)
    let next = await notifications.next()
    for (let separator = '\n'; !next.done; separator = ',\n') {
      yield `${separator}    ${JSON.stringify(next.value)}`
      next = await notifications.next()
    }
    yield next.value > 0 ? `\n  ],\n  "notificationsLeftOut": ${next.value}\n}\n` : '\n  ]\n}\n'
  }

  /** The parts of a JSON file, so that the memory does not depend on the inbox. Undefined for an unknown user. */
  return async (session: Session): Promise<AsyncIterable<string> | undefined> => {
    const { userId } = session
    const account = await accountOf(userId)
    if (account === undefined) return undefined
    const [devices, chosen, kept] = await Promise.all([devicesOf(session), preferencesOf(userId), draftsOf(userId)])
    const head = {
      about: [
        'This is what the portal stores about you, apart from your password, which is stored as a hash.',
        'Times are in UTC. Your profile lists where you are signed in.',
        `Notifications: the newest ${maxNotifications.toLocaleString('en-US')} at most. notificationsLeftOut counts the others.`,
        'Payments: the sums. Write to the center to ask for their dates and references.',
        'The security log keeps network addresses for a limited time. Write to the center to ask for yours.',
      ],
      createdAt: now().toISOString(),
      ...account,
      preferences: chosen,
      devices,
      ...(kept.length > 0 && { drafts: kept }),
    }
    return fileOf(head, userId)
  }
}
export type ReadOwnData = ReturnType<typeof createReadOwnData>
