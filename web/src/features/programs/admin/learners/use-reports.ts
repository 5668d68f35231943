import type { confirmPayments } from '@portal/contracts/catalog/learners'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { z } from 'zod'
import type { Answer } from '../../../../lib/http.ts'
import { groupedAsInIndia } from '../../../../lib/number-format.ts'
import { useToast } from '../../../../ui/toast/atoms.ts'
import { actionKeys, changedIn, type Fates, inParts, joined, learnerCalls } from './api.ts'
import { learnersText, paymentsText, peopleText } from './count-texts.ts'
import { refusedText } from './fates.ts'

/** One toast for the latest change. */
const subject = 'learners'
/** Recorded as the reason. */
const undone = 'Undone'

type Undo = (calls: ReturnType<typeof learnerCalls>) => Promise<Answer<Fates>>

/** '2 people enrolled, 1 invited'. */
const enrolledText = ({ changed, rows }: Fates): string => {
  const invited = rows.filter(({ fate }) => fate === 'invited').length
  const enrolled = changed - invited
  if (invited === 0) return `${peopleText(enrolled)} enrolled`
  if (enrolled === 0) return `${peopleText(invited)} invited`
  return `${peopleText(enrolled)} enrolled, ${groupedAsInIndia(invited)} invited`
}

type ReportsOptions = {
  readonly programId: ProgramRecordId
  /** After an action. */
  readonly onChange: () => void
  /** After it was taken back. */
  readonly onUndo: () => void
}

/** Says what an action has changed, and offers to take it back. */
export const useReports = ({ programId, onChange, onUndo }: ReportsOptions) => {
  const toast = useToast()

  const takeBack = async (undo: () => Promise<Answer<Fates>>): Promise<void> => {
    const answer = await undo()
    if (answer.success) {
      const { changed, rows } = answer.data
      const detail = refusedText(rows)
      if (detail === undefined) toast.success('Undone', { subject })
      else toast.warning(`${changed} of ${rows.length} undone`, { subject, detail })
    } else
      toast.error(answer.message, {
        subject,
        durationMs: 8_000,
        action: { label: 'Try again', onPress: () => void takeBack(undo) },
      })
    onUndo()
  }

  const report = (text: string, { changed, rows }: Fates, undo?: Undo, inProgram = programId) => {
    const detail = refusedText(rows)
    const calls = learnerCalls(inProgram, actionKeys())
    const options = { subject, ...(detail !== undefined && { detail }) }
    if (changed === 0) toast.warning(text, options)
    else toast.success(text, { ...options, ...(undo && { undo: { onUndo: () => void takeBack(() => undo(calls)) } }) })
    onChange()
  }

  return {
    paid: (done: z.output<typeof confirmPayments.response>) => {
      const userIds = [...new Set(changedIn(done, 'confirmed'))]
      report(`${paymentsText(done.changed)} confirmed`, done, ({ revert }) =>
        revert({ userIds, reason: undone, paymentId: done.paymentId }),
      )
    },
    reverted: (done: Fates) => report(`${learnersText(done.changed)} set back to pending`, done),
    enrolled: (done: Fates) => {
      const userIds = changedIn(done, 'enrolled')
      const invitationIds = done.rows.flatMap(({ invitationId }) => invitationId ?? [])
      report(enrolledText(done), done, async ({ withdraw, withdrawInvitations }) => {
        const withdrawn = await inParts(userIds, (part) => withdraw({ userIds: part, reason: undone }))
        if (!withdrawn.success) return withdrawn
        // Those whose invitation has ended meanwhile are none of it.
        const uninvited = await inParts(invitationIds, async (part) => {
          const answer = await withdrawInvitations({ invitationIds: part })
          if (!answer.success) return answer
          const { changed } = answer.data
          return {
            success: true,
            data: { changed, rows: Array.from({ length: changed }, () => ({ fate: 'withdrawn' })) },
          }
        })
        return uninvited.success ? { success: true, data: joined([withdrawn.data, uninvited.data]) } : uninvited
      })
    },
    withdrawn: (done: Fates) => {
      const userIds = [...changedIn(done, 'withdrawn')]
      report(`${learnersText(done.changed)} withdrawn`, done, ({ reinstate }) => reinstate({ userIds }))
    },
    moved: (done: Fates, toProgramId: ProgramRecordId) => {
      const userIds = [...changedIn(done, 'moved')]
      const undo: Undo = ({ move }) => move({ userIds, toProgramId: programId })
      report(`${learnersText(done.changed)} moved`, done, undo, toProgramId)
    },
    /** `before` are the semesters that the learners had. */
    semesterSet: (done: Fates, before: ReadonlyMap<number, readonly UserId[]>) => {
      const ids = new Set(changedIn(done, 'semester-set'))
      report(`${learnersText(done.changed)} in the next semester`, done, async ({ setSemester }) => {
        const all: Fates[] = []
        for (const [semester, members] of before) {
          const userIds = members.filter((id) => ids.has(id))
          if (userIds.length === 0) continue
          const answer = await setSemester({ userIds, semester })
          if (!answer.success) return answer
          all.push(answer.data)
        }
        return { success: true, data: joined(all) }
      })
    },
  }
}
export type LearnerReports = ReturnType<typeof useReports>
