import { randomUUID } from 'node:crypto'
import { listLearnerInvitations } from '@portal/contracts/catalog/learner-invitations'
import { confirmPayments, enrollLearners, type LearnerRow, revertPayments } from '@portal/contracts/catalog/learners'
import { createProgram, enrollInProgram, listMyPrograms, removeProgram } from '@portal/contracts/catalog/http'
import type { EventStore } from '@portal/platform/event-store/port'
import { ok } from '@portal/platform/decider/decider'
import { until } from '@portal/platform/testing/until'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { programRecordIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { registerAccount } from '@portal/catalog/testing/accounts'
import { callerId, otherLearnerId, startHarness } from '@portal/catalog/testing/harness'
import { programOf } from '../../testing/programs.ts'
import { programDecider, programsStreamId } from '../program/decider.ts'

const learnerIds = { student: callerId, 'student-2': otherLearnerId } as const
const learners = fc.constantFrom('student' as const, 'student-2' as const)
const attempts = fc.array(fc.record({ learner: learners, program: fc.nat(3) }), { minLength: 1, maxLength: 24 })

test('enrolls a learner at most once per program across two processes, and all responses agree', async () => {
  await fc.assert(
    fc.asyncProperty(attempts, fc.boolean(), async (wanted, isRemovedAfterwards) => {
      const portal = await startHarness({ processes: 2 })
      try {
        const programs = [0, 1, 2, 3].map((number) => programOf(number))
        const command = { type: 'SeedPrograms', programs } as const
        await handleCommand(portal.eventStore, programDecider, programsStreamId, command, {
          eventId: () => randomUUID(),
        })
        const idOf = (program: number) => programs[program]?._id ?? ''
        await expect.poll(() => portal.call(enrollInProgram, { as: 'student', id: idOf(3) })).toBeDefined()

        const requests = [{ learner: 'student' as const, program: 3 }, ...wanted]
        const enroll = ({ learner, program }: (typeof requests)[number]) =>
          portal.call(enrollInProgram, { as: learner, id: idOf(program) })
        const answers = await Promise.all(requests.map(enroll))
        if (isRemovedAfterwards) await portal.call(removeProgram, { as: 'admin', id: idOf(3) })

        const recorded = (await portal.recorded()).filter(({ type }) => type === 'LearnerEnrolled')
        const pairs = recorded
          .map((event) =>
            z.object({ data: z.object({ userId: userIdSchema, programId: programRecordIdSchema }) }).parse(event),
          )
          .map(({ data }) => `${data.userId} ${data.programId}`)
        const wantedPairs = requests.map(({ learner, program }) => `${learnerIds[learner]} ${idOf(program)}`)
        expect(pairs.toSorted()).toEqual([...new Set(wantedPairs)].toSorted())

        for (const as of ['student', 'student-2'] as const) {
          const mine = (await portal.call(listMyPrograms, { as })).programs
          const responses = requests.flatMap(({ learner }, n) => (learner === as ? [answers[n]?.data] : []))
          expect(new Set(mine.map(({ programId }) => programId))).toEqual(
            new Set(responses.map((one) => one?.programId)),
          )
          for (const answer of responses) {
            const listed = mine.find(({ programId }) => programId === answer?.programId)
            expect({ ...listed, withdrawnAt: null }).toEqual(answer)
          }
        }
        const { serving, rebuilt } = await portal.digests()
        expect(rebuilt).toEqual(serving)
      } finally {
        await portal.stop()
      }
    }),
    { numRuns: 20 },
  )
}, 120_000)

const emails = { student: 'asha@example.com', 'student-2': 'ben@example.com' } as const
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('enroll' as const), learner: learners, program: fc.nat(2) }),
    fc.record({ do: fc.constant('invite' as const), learner: learners, program: fc.nat(2) }),
    fc.record({ do: fc.constant('register' as const), learner: learners }),
  ),
  { minLength: 1, maxLength: 16 },
)
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never

/** Attempts of the reactor to record an enrollment fail as often as given. */
const failing = (failures: number) => {
  let left = failures
  return (store: EventStore): EventStore => ({
    ...store,
    append: async (stream, expected, events) => {
      const isReaction = events.some(({ metadata }) => metadata?.causationId !== undefined)
      if (stream.startsWith('enrollment-') && isReaction && left > 0) {
        left -= 1
        throw new Error('the process ends here')
      }
      return store.append(stream, expected, events)
    },
  })
}

test('invited people are enrolled once they have registered, in any order, across two processes and failures', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), fc.nat(2), async (wanted, atOnce, failures) => {
      const portal = await startHarness({ processes: 2, storeOf: failing(failures) })
      try {
        const programs = [0, 1, 2].map((number) => programOf(number))
        const command = { type: 'SeedPrograms', programs } as const
        const eventId = () => randomUUID()
        await handleCommand(portal.eventStore, programDecider, programsStreamId, command, { eventId })
        const idOf = (program: number) => programs[program]?._id ?? ''
        const invitations = (program: number) => portal.call(listLearnerInvitations, { as: 'admin', id: idOf(program) })
        await expect.poll(() => invitations(2)).toBeDefined()
        const registered = new Set<Step['learner']>()
        const run = async (step: Step): Promise<void> => {
          const { learner } = step
          const email = emails[learner]
          if (step.do === 'register') {
            if (registered.has(learner)) return
            registered.add(learner)
            return registerAccount(portal, { userId: learnerIds[learner], email })
          }
          const id = idOf(step.program)
          // The people index is still empty.
          if (step.do === 'invite') await portal.call(enrollLearners, { as: 'admin', id, body: { contacts: [email] } })
          else await portal.call(enrollInProgram, { as: learner, id })
        }
        if (atOnce) await Promise.all(wanted.map(run))
        else for (const step of wanted) await run(step)

        const invited = wanted.filter((step) => step.do === 'invite')
        for (const as of ['student', 'student-2'] as const) {
          const expected = [...wanted.filter((step) => step.do === 'enroll'), ...(registered.has(as) ? invited : [])]
            .filter(({ learner }) => learner === as)
            .map(({ program }) => idOf(program))
          await until(async () => {
            const mine = (await portal.call(listMyPrograms, { as })).programs.map(({ programId }) => programId)
            expect(mine.toSorted()).toEqual([...new Set(expected)].toSorted())
          })
        }
        for (const program of [0, 1, 2]) {
          const open = invited.filter((step) => step.program === program && !registered.has(step.learner))
          await until(async () => {
            const { invitations: listed, pagination } = await invitations(program)
            const addresses = [...new Set(open.map(({ learner }) => emails[learner]))]
            expect(listed.map(({ email }) => email).toSorted()).toEqual(addresses.toSorted())
            expect(pagination.total).toBe(addresses.length)
          })
        }
        const enrolled = (await portal.recorded()).filter(({ type }) => type === 'LearnerEnrolled')
        const pairs = enrolled.map(({ data }) => `${Object(data).userId} ${Object(data).programId}`)
        expect(pairs).toHaveLength(new Set(pairs).size)
        await until(async () => {
          const { serving, rebuilt } = await portal.digests()
          expect(rebuilt).toEqual(serving)
        })
      } finally {
        await portal.stop()
      }
    }),
    { numRuns: 20 },
  )
}, 120_000)

const payments = fc.array(
  fc.record({
    contact: fc.constantFrom('student', 'student-2'),
    amount: fc.constantFrom(1_500_000, 3_000_000),
    paidOn: fc.constantFrom('2026-11-18', '2026-11-19', '2026-11-20'),
    reference: fc.constantFrom('', '', 'UTR 1', 'utr 1', 'UTR 2'),
  }),
  { minLength: 1, maxLength: 8 },
)

const confirmed = ({ rows }: { readonly rows: readonly LearnerRow[] }) => rows.map(({ fate }) => fate === 'confirmed')

test('a list of payments does what its preview says, once, and is undone as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(payments, { minLength: 1, maxLength: 3 }), async (lists) => {
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
      const as = 'admin'
      const both = ['student', 'student-2'] as const
      const cards = () =>
        Promise.all(both.map(async (one) => (await portal.call(listMyPrograms, { as: one })).programs))
      const count = async () => (await portal.recorded()).filter(({ type }) => type === 'PaymentConfirmed').length
      try {
        const id = (await portal.call(createProgram, { as, body: { programName: 'Minor in AI' } })).data._id
        for (const one of both) await portal.call(enrollInProgram, { as: one, id })
        const undos = []
        for (const [n, contacts] of lists.entries()) {
          const body = { contacts, amount: 1, paidOn: '2026-11-20' }
          const before = { cards: await cards(), count: await count() }
          const preview = await portal.call(confirmPayments, { as, id, body: { ...body, dryRun: true } })
          expect(await count()).toBe(before.count)
          const pay = () => portal.call(confirmPayments, { as, id, key: `list-${n}`, body })
          const [done, atOnce] = await Promise.all([pay(), pay()])
          expect(done.rows).toEqual(preview.rows)
          // A row without a change may find another reason meanwhile.
          for (const again of [atOnce, await pay()]) expect(confirmed(again)).toEqual(confirmed(done))
          expect((await count()) - before.count).toBe(done.changed)
          undos.push({ ...before, paymentId: done.paymentId })
        }
        for (const { paymentId, ...before } of undos.toReversed()) {
          const body = { userIds: [callerId, otherLearnerId], reason: 'Undone', paymentId }
          await portal.call(revertPayments, { as, id, body })
          expect(await cards()).toEqual(before.cards)
        }
      } finally {
        await portal.stop()
      }
    }),
    { numRuns: 20 },
  )
}, 120_000)
