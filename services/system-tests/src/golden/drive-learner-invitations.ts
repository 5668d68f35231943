import { createProgram, removeProgram } from '@portal/contracts/catalog/http'
import {
  listLearnerInvitations,
  resendLearnerInvitations,
  withdrawLearnerInvitations,
} from '@portal/contracts/catalog/learner-invitations'
import { enrollLearners } from '@portal/contracts/catalog/learners'
import { callRoute, type SignedIn } from '../testing/api-client.ts'
import { eventually } from '../testing/portal-process.ts'
import { type Driven, register } from './drive-accounts.ts'

const email = 'guest@example.com'

/** An address is invited to two programs, of which one is deleted before it registers. Another invitation is withdrawn. */
export const driveLearnerInvitations = async (driven: Driven, { token }: SignedIn): Promise<void> => {
  const { address } = driven.portal
  const addProgram = async (programName: string) =>
    (await callRoute(address, createProgram, { token, body: { programName } })).data._id
  const invite = async (id: string, ...contacts: string[]) => {
    const { rows } = await callRoute(address, enrollLearners, { token, params: { id }, body: { contacts } })
    return rows.map(({ invitationId }) => invitationId)
  }
  const kept = await addProgram('Minor of Guests')
  const deleted = await addProgram('Deleted Minor of Guests')
  const [ofGuest, ofOther] = await invite(kept, email, 'other-guest@example.com')
  await invite(deleted, email)
  const asked = { token, params: { id: kept } }
  await callRoute(address, resendLearnerInvitations, { ...asked, body: { invitationIds: [ofGuest] } })
  await callRoute(address, withdrawLearnerInvitations, { ...asked, body: { invitationIds: [ofOther] } })
  await callRoute(address, removeProgram, { token, params: { id: deleted } })
  await register(driven, { email, mobileNumber: '9000000014', fullName: 'Gita Guest' }, 'email')
  await eventually('the invitation is accepted', async () => {
    const { pagination } = await callRoute(address, listLearnerInvitations, asked)
    return pagination.total === 0
  })
}
