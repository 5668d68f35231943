import type { EnrollmentChanged } from '@portal/contracts/catalog/socket'
import type { UserId } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createUserFeed } from './user-feed.ts'
import { programNumber } from '@portal/gateway/testing/sockets/programs'
import { userIdOf } from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

const positionText = (position: number) => String(position).padStart(12, '0')

const inProgram = (number: number): EnrollmentChanged => ({
  enrollment: {
    programId: programNumber(number)._id,
    programName: `Program ${number}`,
    currentSemester: 'Semester 1',
    paymentStatus: 'Pending',
    enrolledAt: '2026-11-21T10:00:00.000Z',
    withdrawnAt: null,
  },
})

type Sent = { readonly userId: UserId; readonly message: EnrollmentChanged }

/** Starts the feed with a projection whose buckets have the progress that the test sets. */
const start = () => {
  const applied = new Map<string, string>()
  const checks = new Set<() => void>()
  const sent: Sent[] = []
  let waits = 0
  const feed = createUserFeed<EnrollmentChanged>({
    projection: 'enrollments',
    emitToUser: (userId, message) => void sent.push({ userId, message }),
    applied: (bucket, position) => {
      waits += 1
      return new Promise((resolve) => {
        const check = (): void => {
          if ((applied.get(bucket) ?? '') < position) return void checks.add(check)
          checks.delete(check)
          resolve(true)
        }
        check()
      })
    },
    logger: pino({ level: 'silent' }),
  })
  return {
    feed,
    sent,
    waits: () => waits,
    apply: (bucket: string, position: number) => {
      applied.set(bucket, positionText(position))
      for (const check of checks) check()
    },
    enroll: (user: number, program: number, bucket: string, position: number) =>
      feed.changed(userIdOf(user), inProgram(program), bucket, positionText(position)),
  }
}

describe('an enrollment change', () => {
  it('is sent once its bucket has applied it, regardless of other buckets', async () => {
    const { sent, apply, enroll } = start()
    enroll(1, 1, 'b01', 1)
    enroll(2, 1, 'b02', 2)
    apply('b02', 2)
    await until(() => expect(sent).toEqual([{ userId: userIdOf(2), message: inProgram(1) }]))
    apply('b01', 1)
    await until(() => expect(sent.at(-1)).toEqual({ userId: userIdOf(1), message: inProgram(1) }))
  })

  it('waits together with later changes: each bucket has one wait at a time', async () => {
    const { sent, waits, apply, enroll } = start()
    for (let program = 1; program <= 50; program++) enroll(1, program, 'b01', program)
    apply('b01', 50)
    await until(() => expect(sent).toHaveLength(50))
    expect(waits()).toBe(2)
  })

  it('is dropped if too many wait', async () => {
    const { sent, apply, enroll } = start()
    for (let program = 1; program <= 250; program++) enroll(1, program, 'b01', program)
    apply('b01', 250)
    await until(() => expect(sent.at(-1)?.message).toEqual(inProgram(250)))
    expect(sent).toHaveLength(200)
  })

  it('is not sent after the feed has stopped', async () => {
    const { feed, sent, apply, enroll } = start()
    enroll(1, 1, 'b01', 1)
    feed.stop()
    enroll(1, 2, 'b02', 2)
    apply('b01', 2)
    apply('b02', 2)
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toEqual([])
  })

  it('is sent once and in the order of its bucket, at any progress of the projection', async () => {
    const step = fc.record({ bucket: fc.constantFrom('b01', 'b02', 'b03'), applies: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { sent, apply, enroll } = start()
        for (const [n, { bucket, applies }] of steps.entries()) {
          enroll(1, n + 1, bucket, n + 1)
          if (applies) apply(bucket, n + 1)
          if (n % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
        }
        for (const bucket of ['b01', 'b02', 'b03']) apply(bucket, steps.length)
        await new Promise((resolve) => setImmediate(resolve))
        for (const bucket of ['b01', 'b02', 'b03']) {
          const expected = steps.flatMap((taken, n) => (taken.bucket === bucket ? [inProgram(n + 1)] : []))
          const ids = new Set(expected.map(({ enrollment }) => enrollment.programId))
          expect(sent.map(({ message }) => message).filter(({ enrollment }) => ids.has(enrollment.programId))).toEqual(
            expected,
          )
        }
      }),
    )
  })
})
