import type { Audience } from '@portal/contracts/notifications/audience'
import { getCampaign } from '@portal/contracts/notifications/http'
import { getScheduledNotification, type ScheduledContent } from '@portal/contracts/notifications/scheduled-send'
import { type NotificationId, notificationIdSchema } from '@portal/contracts/shared/ids'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call } from '../../../lib/http.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { emptyRule, type Rule } from '../audience/rule.ts'
import { newDraft, noButton, noTranslation, type Draft } from '../draft.ts'
import { sendSubject as subject } from '../held/use-held-sends.ts'

/** Opens the form with a scheduled send. */
const parameter = 'scheduled'
/** The address that does so, beside the list of those. */
export const editPath = (id: NotificationId): string => `/admin/notifications?view=scheduled&${parameter}=${id}`

/** A scheduled send in the form. */
export type EditedSchedule = {
  readonly id: NotificationId
  readonly title: string
  readonly version: number
  readonly sendAtMs: number
}

const ruleOfAudience = (audience: Audience, remindedTitle: string): Rule => {
  const { everyone, contacts, unreadOf, include, exclude, ...kinds } = audience
  return {
    ...emptyRule,
    programIds: kinds.programIds ?? [],
    paymentStatuses: kinds.paymentStatuses ?? [],
    semesters: kinds.semesters ?? [],
    installmentsDue: kinds.installmentsDue ?? [],
    universityNames: kinds.universityNames ?? [],
    roles: kinds.roles ?? [],
    everyone: everyone === true,
    contactList: contacts && { source: 'the scheduled notification', contacts },
    unreadOf: unreadOf && { id: unreadOf, title: remindedTitle },
    include: new Set(include),
    exclude: new Set(exclude),
  }
}

const titleOf = async (id: NotificationId | undefined, signal: AbortSignal): Promise<string> => {
  const answer = id && (await call(getCampaign, { params: { id }, signal }))
  return answer?.success ? answer.data.campaign.title : 'a notification'
}

const draftOf = async (content: ScheduledContent, signal: AbortSignal): Promise<Draft> => {
  const { title, message, type, button = noButton, image, isUrgent = false, translation = noTranslation } = content
  const { userIds, audience = {} } = content
  const rule = userIds
    ? { ...emptyRule, include: new Set(userIds) }
    : ruleOfAudience(audience, await titleOf(audience.unreadOf, signal))
  const text = { ...newDraft.text, title, message, type, button, image, isUrgent, translation }
  return { ...newDraft, text, rule }
}

type Loaded = { readonly draft: Draft; readonly edited: EditedSchedule }

/** Returns what went wrong as a text. */
const load = async (given: string, signal: AbortSignal): Promise<Loaded | string> => {
  const parsed = notificationIdSchema.safeParse(given)
  if (!parsed.success) return 'Notification not found'
  const { data: id } = parsed
  const answer = await call(getScheduledNotification, { params: { id }, signal })
  if (!answer.success) return answer.message
  const { scheduled } = answer.data
  const { title, version, sendAt } = scheduled
  return { draft: await draftOf(scheduled, signal), edited: { id, title, version, sendAtMs: Date.parse(sendAt) } }
}

/** Loads the scheduled send that the address names into the form. */
export const useEditedSchedule = (fill: (draft: Draft) => void) => {
  const [search, setSearch] = useSearchParams()
  const [shown, setShown] = useState<EditedSchedule>()
  const toast = useToast()
  const given = search.get(parameter)

  const end = () =>
    setSearch(
      (known) => {
        const rest = new URLSearchParams(known)
        rest.delete(parameter)
        return rest
      },
      { replace: true },
    )

  const onLoaded = useEffectEvent((loaded: Loaded | string) => {
    if (typeof loaded === 'string') {
      toast.error(loaded, { subject })
      return end()
    }
    fill(loaded.draft)
    return setShown(loaded.edited)
  })
  useEffect(() => {
    if (given === null) return undefined
    const aborter = new AbortController()
    const { signal } = aborter
    void load(given, signal).then((loaded) => (signal.aborted ? undefined : onLoaded(loaded)))
    return () => aborter.abort()
  }, [given])

  return { edited: shown?.id === given ? shown : undefined, end }
}
