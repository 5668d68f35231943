import { getProgram } from '@portal/contracts/catalog/http'
import { getCampaign } from '@portal/contracts/notifications/http'
import { notificationTypeSchema } from '@portal/contracts/notifications/notification'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import {
  notificationIdSchema,
  programRecordIdSchema,
  userIdSchema,
  type ProgramRecordId,
} from '@portal/contracts/shared/ids'
import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call } from '../../lib/http.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { emptyRule } from './audience/rule.ts'
import { cutTitle } from './cut-title.ts'
import { newDraft, noButton, noTranslation, type Draft, type DraftText } from './draft.ts'

/** Addresses that open the form with content: a reminder, a copy of a notification, one recipient, or a fee reminder of a program. */
const parameters = ['remind', 'copy', 'to', 'unpaid'] as const

/** A copy is urgent only if its sender says so again. */
const textOf = (campaign: SentItem): DraftText => {
  const { title, message, type, button = noButton, image = '', translation = noTranslation } = campaign
  const known = notificationTypeSchema.safeParse(type)
  return { title, message, type: known.success ? known.data : 'General', button, image, isUrgent: false, translation }
}

const reminderTitle = (title: string): string => cutTitle(`Reminder: ${title}`)

const reminderOf = (campaign: SentItem): Draft => {
  const text = textOf(campaign)
  return {
    ...newDraft,
    text: { ...text, title: reminderTitle(text.title) },
    rule: { ...emptyRule, unreadOf: { id: campaign._id, title: text.title } },
  }
}

const copyOf = (campaign: SentItem): Draft => ({ ...newDraft, text: textOf(campaign) })

/** For the learners of a program who have not paid. */
const feeReminderOf = (programId: ProgramRecordId, programName: string): Draft => ({
  ...newDraft,
  text: {
    title: 'Fee payment reminder',
    message: `Your fee for ${programName} is due. Please pay it, or contact the center if you have paid already.`,
    type: 'Fee Payment Reminder',
    button: noButton,
    image: '',
    isUrgent: false,
    translation: noTranslation,
  },
  rule: { ...emptyRule, programIds: [programId], paymentStatuses: ['Pending'] },
})

/** Fills the form from the address, once. `remind` and `copy` are notifications, `to` is a user, `unpaid` a program. */
export const usePrefill = (fill: (draft: Draft) => void): void => {
  const [search, setSearch] = useSearchParams()
  const toast = useToast()
  const remind = search.get('remind')
  const copied = search.get('copy')
  const to = search.get('to')
  const unpaid = search.get('unpaid')

  const finish = useEffectEvent((draft: Draft | undefined) => {
    if (draft) fill(draft)
    // A reload or a return to this page must not replace the draft again.
    setSearch(
      (known) => {
        const rest = new URLSearchParams(known)
        for (const name of parameters) rest.delete(name)
        return rest
      },
      { replace: true },
    )
  })
  const load = useEffectEvent(async (id: string, toDraft: (campaign: SentItem) => Draft, signal: AbortSignal) => {
    const parsed = notificationIdSchema.safeParse(id)
    const answer = parsed.success ? await call(getCampaign, { params: { id: parsed.data }, signal }) : undefined
    if (signal.aborted) return
    if (!answer?.success) toast.error(answer?.message ?? 'Notification not found', { subject: 'send' })
    finish(answer?.success ? toDraft(answer.data.campaign) : undefined)
  })

  const loadProgram = useEffectEvent(async (given: string, signal: AbortSignal) => {
    const id = programRecordIdSchema.safeParse(given)
    const answer = id.success ? await call(getProgram, { params: { id: id.data }, signal }) : undefined
    if (signal.aborted) return
    if (!answer?.success) toast.error(answer?.message ?? 'Program not found', { subject: 'send' })
    finish(id.success && answer?.success ? feeReminderOf(id.data, answer.data.data.programName) : undefined)
  })

  useEffect(() => {
    const aborter = new AbortController()
    if (remind !== null) void load(remind, reminderOf, aborter.signal)
    else if (copied !== null) void load(copied, copyOf, aborter.signal)
    else if (to !== null) {
      const user = userIdSchema.safeParse(to)
      finish(user.success ? { ...newDraft, rule: { ...emptyRule, include: new Set([user.data]) } } : undefined)
    } else if (unpaid !== null) void loadProgram(unpaid, aborter.signal)
    return () => aborter.abort()
  }, [remind, copied, to, unpaid])
}
