import { resendLearnerInvitations, withdrawLearnerInvitations } from '@portal/contracts/catalog/learner-invitations'
import {
  confirmPayments,
  enrollLearners,
  learnerLimits,
  type LearnerRow,
  moveLearners,
  reinstateLearners,
  revertPayments,
  setSemester,
  withdrawLearners,
} from '@portal/contracts/catalog/learners'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { call, type Answer, type CallInput } from '../../../../lib/http.ts'
import { keyedRequest, type KeyedRequest } from '../../../../lib/idempotency-key.ts'
import { randomKey } from '../../../../lib/random-hex.ts'

/** What became of each row of a request, or would. */
export type Fates = { readonly changed: number; readonly rows: readonly LearnerRow[] }

/** The key of each request of one action. A retry with the same body has the same key. */
export const actionKeys = () => {
  const known = new Map<string, KeyedRequest>()
  return (name: string, body: unknown): string => {
    const request = keyedRequest(known.get(name), body, randomKey)
    known.set(name, request)
    return request.key
  }
}
export type KeyFor = ReturnType<typeof actionKeys>

/** A preview shares no key: a remembered one would hide what has changed since, and a change whose answer was lost keeps its own. */
const withKey = (keyFor: KeyFor, name: string, body: Readonly<Record<string, unknown>>) =>
  body['dryRun'] ? {} : { headers: { [idempotencyKeyHeader]: keyFor(name, body) } }

/** Requests that change learners of one program, with the keys of one action. */
export const learnerCalls = (id: ProgramRecordId, keyFor: KeyFor) => {
  const params = { id }
  return {
    pay: (body: CallInput<typeof confirmPayments>['body']) =>
      call(confirmPayments, { params, body, ...withKey(keyFor, 'pay', body) }),
    revert: (body: CallInput<typeof revertPayments>['body']) =>
      call(revertPayments, { params, body, ...withKey(keyFor, 'revert', body) }),
    enroll: (body: CallInput<typeof enrollLearners>['body']) =>
      call(enrollLearners, { params, body, ...withKey(keyFor, 'enroll', body) }),
    withdraw: (body: CallInput<typeof withdrawLearners>['body']) =>
      call(withdrawLearners, { params, body, ...withKey(keyFor, `withdraw ${body.userIds[0]}`, body) }),
    reinstate: (body: CallInput<typeof reinstateLearners>['body']) =>
      call(reinstateLearners, { params, body, ...withKey(keyFor, 'reinstate', body) }),
    move: (body: CallInput<typeof moveLearners>['body']) =>
      call(moveLearners, { params, body, ...withKey(keyFor, 'move', body) }),
    setSemester: (body: CallInput<typeof setSemester>['body']) =>
      call(setSemester, { params, body, ...withKey(keyFor, `semester ${body.semester} ${body.userIds[0]}`, body) }),
    resendInvitations: (body: CallInput<typeof resendLearnerInvitations>['body']) =>
      call(resendLearnerInvitations, { params, body, ...withKey(keyFor, `resend ${body.invitationIds[0]}`, body) }),
    withdrawInvitations: (body: CallInput<typeof withdrawLearnerInvitations>['body']) =>
      call(withdrawLearnerInvitations, { params, body, ...withKey(keyFor, `uninvite ${body.invitationIds[0]}`, body) }),
  }
}

export const joined = (parts: readonly Fates[]): Fates => ({
  changed: parts.reduce((total, { changed }) => total + changed, 0),
  rows: parts.flatMap(({ rows }) => rows),
})

/** Requests for more learners or invitations than one may have, one after the other. Stops at a failure. */
export const inParts = async <Id extends string>(
  ids: readonly Id[],
  send: (part: Id[]) => Promise<Answer<Fates>>,
): Promise<Answer<Fates>> => {
  const parts: Fates[] = []
  for (let first = 0; first < ids.length; first += learnerLimits.marked) {
    const answer = await send(ids.slice(first, first + learnerLimits.marked))
    if (!answer.success) return answer
    parts.push(answer.data)
  }
  return { success: true, data: joined(parts) }
}

/** Those for whom the request changed something. */
export const changedIn = ({ rows }: Fates, fate: LearnerRow['fate']): readonly UserId[] =>
  rows.flatMap((row) => (row.fate === fate && row.userId !== undefined ? [row.userId] : []))
