import { userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { test } from 'vitest'
import { mobileNumberDecider } from './decider.ts'
import type { MobileNumberEvent } from './events.ts'

const [ann, bob] = ['1', '2'].map((n) => userIdSchema.parse(`01980000-0000-7000-8000-00000000000${n}`))
if (!ann || !bob) throw new Error('two users')
const now = new Date('2026-03-02T09:00:00.000Z')
const confirmed = (userId: typeof ann): MobileNumberEvent => ({
  type: 'MobileNumberConfirmed',
  data: { userId, emailIndex: `mail of ${userId}`, at: now.toISOString() },
})
const confirm = (userId: typeof ann, abandonedBy?: typeof ann) =>
  ({ type: 'ConfirmNumber', userId, emailIndex: `mail of ${userId}`, now, abandonedBy }) as const

const { given } = specification(mobileNumberDecider)

test('a number confirms one user, also repeatedly', () => {
  given([])
    .when(confirm(ann))
    .then([confirmed(ann)])
  given([confirmed(ann)])
    .when(confirm(ann))
    .thenNothing()
  given([confirmed(ann)])
    .when(confirm(bob))
    .thenRejected('in-use')
})

test('a number confirms another user once the previous one is gone', () => {
  given([confirmed(ann)])
    .when(confirm(bob, ann))
    .then([confirmed(bob)])
  given([confirmed(ann), confirmed(bob)])
    .when(confirm(ann, ann))
    .thenRejected('in-use')
})
