import { randomUUID } from 'node:crypto'
import { enrollInProgram, listMyPrograms, removeProgram } from '@portal/contracts/catalog/http'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { programRecordIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
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
