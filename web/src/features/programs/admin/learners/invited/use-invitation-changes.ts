import type { LearnerInvitation } from '@portal/contracts/catalog/learner-invitations'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { useToast } from '../../../../../ui/toast/atoms.ts'
import { actionKeys, learnerCalls } from '../api.ts'

/** One toast for the latest change. */
const subject = 'invitation'

/** Sends invitations again, and withdraws them after a question. */
export const useInvitationChanges = (programId: ProgramRecordId, onChange: () => Promise<unknown>) => {
  const toast = useToast()
  const [asked, setAsked] = useState<LearnerInvitation | null>(null)
  const [busy, setBusy] = useState<LearnerInvitation['_id']>()

  const run = async (verb: 'resend' | 'withdraw', { _id: id, email }: LearnerInvitation) => {
    const { resendInvitations, withdrawInvitations } = learnerCalls(programId, actionKeys())
    const body = { invitationIds: [id] }
    setBusy(id)
    const answer = await (verb === 'resend' ? resendInvitations(body) : withdrawInvitations(body))
    setBusy(undefined)
    setAsked(null)
    const done = verb === 'resend' ? `Invitation of ${email} sent again` : `Invitation of ${email} withdrawn`
    if (answer.success) toast.success(done, { subject })
    else toast.error(answer.message, { subject })
    await onChange()
  }
  return {
    asked,
    busy,
    ask: setAsked,
    resend: (invitation: LearnerInvitation) => run('resend', invitation),
    withdraw: (invitation: LearnerInvitation) => run('withdraw', invitation),
  }
}
