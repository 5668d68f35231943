import {
  alreadyInvited,
  invite,
  invitedRoleSchema,
  resendInvitation,
  type Invitation,
  type SentInvitation,
} from '@portal/contracts/auth/invitations'
import { cleanEmail } from '@portal/contracts/shared/typed-input'
import { useState } from 'react'
import { z } from 'zod'
import { useValidatedForm } from '../../../lib/form.ts'
import { call, type Answer } from '../../../lib/http.ts'

const { fullName, personalEmail } = invite.body.shape

/** None is chosen at first, because each gives rights. */
const chosenRoleSchema = z.union([z.literal(''), invitedRoleSchema]).pipe(invitedRoleSchema)

const schema = z.object({ fullName, personalEmail, role: chosenRoleSchema })
const empty: z.input<typeof schema> = { fullName: '', personalEmail: '', role: '' }

type OneInvitationOptions = {
  readonly invitations: readonly Invitation[]
  readonly onSent: (sent: SentInvitation) => Promise<void>
}

/** The form that invites one person. An address that is invited already can be sent its invitation again. */
export const useOneInvitation = ({ invitations, onSent }: OneInvitationOptions) => {
  const form = useValidatedForm(schema, empty)
  const [failure, setFailure] = useState<string>()
  const [sent, setSent] = useState<SentInvitation>()
  const [resending, setResending] = useState(false)
  const typedEmail = form.watch('personalEmail')
  const known =
    failure === alreadyInvited.message
      ? invitations.find((invitation) => invitation.personalEmail === cleanEmail(typedEmail))
      : undefined

  const finish = async (answer: Answer<{ readonly data: SentInvitation }>) => {
    if (answer.success) {
      setSent(answer.data.data)
      return onSent(answer.data.data)
    }
    setFailure(answer.errors === undefined ? answer.message : undefined)
    return form.showErrors(answer.errors)
  }
  return {
    form,
    failure,
    busy: form.formState.isSubmitting || resending,
    /** Whose link is shown, if no mail goes out. */
    sent,
    submit: form.handleSubmit(async (body) => {
      setFailure(undefined)
      await finish(await call(invite, { body }))
    }),
    resend: known && {
      fullName: known.fullName,
      send: async () => {
        setResending(true)
        await finish(await call(resendInvitation, { params: { id: known._id } }))
        setResending(false)
      },
    },
    startAgain: () => {
      setSent(undefined)
      setFailure(undefined)
      form.reset()
    },
  }
}
export type OneInvitation = ReturnType<typeof useOneInvitation>
