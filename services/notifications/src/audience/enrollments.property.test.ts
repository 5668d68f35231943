import {
  confirmPayments,
  enrollLearners,
  moveLearners,
  reinstateLearners,
  revertPayments,
  setSemester,
  withdrawLearners,
} from '@portal/contracts/catalog/learners'
import { createProgram, enrollInProgram, listMyPrograms } from '@portal/contracts/catalog/http'
import { catalogPublishers } from '@portal/catalog/projections'
import { callerId, type Harness, otherLearnerId, startHarness } from '@portal/catalog/testing/harness'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { ok } from '@portal/platform/decider/decider'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { enrolledPartition } from '@portal/contracts/notifications/events'
import { audienceProjection, enrollmentEntrySchema, enrollmentList } from './projection.ts'

const learners = { student: callerId, 'student-2': otherLearnerId } as const
type Learner = keyof typeof learners
const installmentPaise = 1_500_000

type Step = {
  readonly what: 'enroll' | 'enroll-by-list' | 'pay' | 'revert' | 'withdraw' | 'reinstate' | 'move' | 'semester'
  readonly who: readonly Learner[]
  readonly program: number
  /** Of a payment: how many installments, and which key and reference it has. */
  readonly count: number
  readonly key: string
}
const anyStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'enroll',
    'enroll-by-list',
    'pay',
    'pay',
    'pay',
    'revert',
    'withdraw',
    'reinstate',
    'move',
    'semester',
  ),
  who: fc.constantFrom<readonly Learner[]>(['student'], ['student-2'], ['student', 'student-2']),
  program: fc.nat(2),
  count: fc.integer({ min: 1, max: 3 }),
  key: fc.constantFrom('a', 'b', 'c'),
})

/** What each step asks the portal. Rows that cannot be changed are part of the answer. */
const run = async (
  portal: Harness,
  ids: readonly string[],
  { what, who, program, count, key }: Step,
): Promise<void> => {
  const id = ids[program] ?? ''
  const admin = { as: 'admin', id } as const
  const userIds = who.map((one) => learners[one])
  const body = { userIds, reason: 'Because' }
  switch (what) {
    case 'enroll':
      await Promise.all(who.map((as) => portal.call(enrollInProgram, { as, id })))
      return
    case 'enroll-by-list':
      await portal.call(enrollLearners, { ...admin, body: { contacts: who } })
      return
    case 'pay': {
      const payment = { amount: count * installmentPaise, paidOn: '2026-11-20', reference: key }
      await portal.call(confirmPayments, { ...admin, body: { userIds, ...payment } })
      return
    }
    case 'revert':
      await portal.call(revertPayments, { ...admin, body })
      return
    case 'withdraw':
      await portal.call(withdrawLearners, { ...admin, body })
      return
    case 'reinstate':
      await portal.call(reinstateLearners, { ...admin, body })
      return
    case 'move':
      await portal.call(moveLearners, { ...admin, body: { userIds, toProgramId: ids[(program + 1) % ids.length] } })
      return
    case 'semester':
      await portal.call(setSemester, { ...admin, body: { userIds, semester: count } })
  }
}

const paymentEvent = z.union([
  z.object({
    type: z.literal('PaymentConfirmed'),
    data: z.object({ userId: z.string(), payment: z.object({ paymentId: z.string(), amountPaise: z.number() }) }),
  }),
  z.object({
    type: z.literal('PaymentsReverted'),
    data: z.object({ userId: z.string(), paymentIds: z.array(z.string()) }),
  }),
])

/** What each learner has paid that was not set back, whatever program it counts for. */
const paidBy = (events: readonly { readonly type: string; readonly data: unknown }[]): ReadonlyMap<string, number> => {
  const payments = new Map<string, { readonly userId: string; readonly amountPaise: number }>()
  for (const event of events) {
    const found = paymentEvent.safeParse(event)
    if (!found.success) continue
    const { type, data } = found.data
    if (type === 'PaymentConfirmed')
      payments.set(`${data.userId} ${data.payment.paymentId}`, { userId: data.userId, ...data.payment })
    else for (const paymentId of data.paymentIds) payments.delete(`${data.userId} ${paymentId}`)
  }
  const paid = new Map<string, number>()
  for (const { userId, amountPaise } of payments.values()) paid.set(userId, (paid.get(userId) ?? 0) + amountPaise)
  return paid
}

/** The enrollments that audiences and the list of learners are read from. */
const inAudience = async (portal: Harness) => {
  const log = createProjectedLog(audienceProjection, undefined, catalogPublishers)
  for (const { stream, type, data } of await portal.log()) log.append(stream, { type, data: Object(data) })
  await log.project()
  const entries = Object.values(learners).map(async (userId) => {
    const range = { order: 'ascending', limit: 10 } as const
    const list = await log.readModel.range(enrolledPartition(bucketKey(userId)), enrollmentList, range)
    return list.map(({ value }) => enrollmentEntrySchema.parse(value))
  })
  const all = (await Promise.all(entries)).flat()
  await log.close()
  return all
}

it('learners, admins and audiences see the same enrollments after any changes, and every payment once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 30 }), async (steps) => {
      const portal = await startHarness({
        processes: 2,
        contacts: {
          find: async (contacts) =>
            ok(
              contacts.map((contact) => {
                const userId = contact === 'student' ? callerId : otherLearnerId
                return { contact, person: { userId, fullName: contact, role: 'student', isDeactivated: false } }
              }),
            ),
        },
      })
      try {
        const programs = ['Minor in AI', 'Minor in DS', 'Minor in UX'].map((programName) =>
          portal.call(createProgram, { as: 'admin', body: { programName } }),
        )
        const ids = (await Promise.all(programs)).map(({ data }) => data._id)
        for (const step of steps) await run(portal, ids, step)

        const audience = await inAudience(portal)
        const cards = await Promise.all(
          (['student', 'student-2'] as const).map(async (as) => {
            const { programs: mine } = await portal.call(listMyPrograms, { as })
            return mine.map((card) => ({ userId: learners[as], ...card }))
          }),
        )
        const shown = ({ userId, programId, currentSemester, paymentStatus, feeAccount }: (typeof audience)[number]) =>
          JSON.stringify({ userId, programId, currentSemester, paymentStatus, feeAccount })
        expect(cards.flat().map(shown).toSorted()).toEqual(audience.map(shown).toSorted())

        const paid = paidBy(await portal.recorded())
        for (const card of cards.flat()) {
          const { paidPaise = 0 } = card.feeAccount ?? {}
          expect(card.paymentStatus).toBe(paidPaise >= 3 * installmentPaise ? 'Completed' : 'Pending')
          expect(paidPaise).toBeLessThanOrEqual(paid.get(card.userId) ?? 0)
        }
        const { serving, rebuilt } = await portal.digests()
        expect(rebuilt).toEqual(serving)
      } finally {
        await portal.stop()
      }
    }),
    { numRuns: 12 },
  )
}, 120_000)
