import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, test } from 'vitest'
import { adminRosterDecider } from './decider.ts'
import type { AdminRosterEvent } from './events.ts'

const person = (n: number) => userIdSchema.parse(`01980000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`)
const [ann, bob, cleo] = [person(1), person(2), person(3)]
const demoted = { kind: 'role', role: 'faculty' } as const
const removal = (userId: typeof ann, by: typeof ann, n = 1) => ({
  removalId: `01980000-0000-7000-8000-00000000000${n}`,
  userId,
  by,
  change: demoted,
})
const removed = (userId: typeof ann, by: typeof ann): AdminRosterEvent => ({
  type: 'AdminRemoved',
  data: removal(userId, by),
})
const added = (userId: typeof ann): AdminRosterEvent => ({ type: 'AdminAdded', data: { userId } })
const remove = (userId: typeof ann, by: typeof ann, known: readonly (typeof ann)[]) =>
  ({ type: 'RemoveAdmin', removal: removal(userId, by), known }) as const
const add = (userId: typeof ann, known: readonly (typeof ann)[] | 'unlimited') =>
  ({ type: 'AddAdmin', userId, known }) as const

const { given } = specification(adminRosterDecider)

describe('removing an admin', () => {
  test('records by whom, and what follows', () => {
    given([])
      .when(remove(bob, ann, [ann, bob]))
      .then([removed(bob, ann)])
    const reason = encryptedTextSchema.parse('reason')
    for (const change of [{ kind: 'deactivated', reason } as const, { kind: 'erased' } as const])
      given([])
        .when({ type: 'RemoveAdmin', removal: { ...removal(bob, ann), change }, known: [ann, bob] })
        .then([{ type: 'AdminRemoved', data: { ...removal(bob, ann), change } }])
  })
  test('leaves at least one, also for oneself', () => {
    given([])
      .when(remove(ann, ann, [ann]))
      .thenRejected('last-admin')
    given([])
      .when(remove(ann, ann, [ann, bob]))
      .then([removed(ann, ann)])
  })
  test('counts no admin whose removal is not yet visible', () => {
    given([removed(bob, ann)])
      .when(remove(ann, bob, [ann, bob]))
      .thenRejected('last-admin')
    given([removed(bob, ann), added(bob)])
      .when(remove(ann, bob, [ann, bob]))
      .then([removed(ann, bob)])
  })
  test('is not for one who has just been removed, nor done twice', () => {
    given([removed(bob, ann)])
      .when(remove(ann, bob, [ann, bob, cleo]))
      .thenRejected('actor-removed')
    given([removed(bob, ann)])
      .when(remove(bob, cleo, [ann, bob, cleo]))
      .thenRejected('removed-meanwhile')
  })
})

describe('adding an admin', () => {
  const others = Array.from({ length: 49 }, (_, n) => person(n + 10))

  test('is recorded once', () => {
    given([])
      .when(add(bob, [ann]))
      .then([added(bob)])
    given([added(bob)])
      .when(add(bob, [ann]))
      .thenNothing()
    given([added(bob), removed(bob, ann)])
      .when(add(bob, [ann]))
      .then([added(bob)])
  })
  test('is limited to fifty in all, but not for an operator', () => {
    given([])
      .when(add(bob, others))
      .then([added(bob)])
    given([])
      .when(add(bob, [...others, ann]))
      .thenRejected('too-many-admins')
    given([added(ann)])
      .when(add(bob, others))
      .thenRejected('too-many-admins')
    given([removed(ann, cleo)])
      .when(add(bob, [...others, ann]))
      .then([added(bob)])
    given([])
      .when(add(bob, 'unlimited'))
      .then([added(bob)])
  })
})
