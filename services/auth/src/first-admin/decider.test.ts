import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { identityStream } from '@portal/platform/discontinuity/log-identity'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { specification } from '@portal/platform/testing/decider/specification'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import type { RegistrationDetails } from '../registration/events.ts'
import { attemptOf, firstAdminDecider, firstAdminStreamId } from './decider.ts'
import type { FirstAdminEvent } from './events.ts'

const details = (credential: string): RegistrationDetails => ({
  userId: userIdSchema.parse('01980000-0000-7000-8000-000000000001'),
  role: 'admin',
  emailIndex: 'email-index',
  mobileIndex: 'mobile-index',
  profile: encryptedTextSchema.parse('profile'),
  credential: encryptedTextSchema.parse(credential),
})
const chosen = (attempt: number): FirstAdminEvent => ({
  type: 'FirstAdminChosen',
  data: { attempt, details: details(`password ${attempt}`) },
})
const shown = (attempt: number): FirstAdminEvent => ({ type: 'FirstAdminShown', data: { attempt } })
const choose = (after: number) =>
  ({ type: 'ChooseFirstAdmin', after, details: details(`password ${after + 1}`) }) as const
const recordShown = (attempt: number) => ({ type: 'RecordFirstAdminShown', attempt }) as const

const { given } = specification(firstAdminDecider)

test('PJ-30 the stream of the first admin is the one that identifies the log', () => {
  expect(streamOf(firstAdminDecider.category, firstAdminStreamId)).toBe(identityStream)
})

describe('choosing the first admin', () => {
  test('is recorded', () =>
    given([])
      .when(choose(0))
      .then([chosen(1)]))
  test('lets one of two concurrent attempts win', () =>
    given([chosen(1)])
      .when(choose(0))
      .thenRejected('superseded'))
  test('is possible again until the password was shown', () =>
    given([chosen(1)])
      .when(choose(1))
      .then([chosen(2)]))
  test('is rejected once the password was shown', () => {
    given([chosen(1), shown(1)])
      .when(choose(1))
      .thenRejected('superseded')
    given([chosen(1), shown(1)])
      .when(choose(0))
      .thenRejected('superseded')
  })
})

describe('showing the password', () => {
  test('is recorded once', () => {
    given([chosen(1)])
      .when(recordShown(1))
      .then([shown(1)])
    given([chosen(1), shown(1)])
      .when(recordShown(1))
      .thenNothing()
  })
  test('is rejected for a superseded attempt', () => {
    given([chosen(1), chosen(2)])
      .when(recordShown(1))
      .thenRejected('superseded')
    given([]).when(recordShown(0)).thenRejected('superseded')
  })
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => firstAdminDecider.parse({ type: 'FirstAdminDismissed', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => firstAdminDecider.parse({ type: 'FirstAdminChosen', data: { attempt: 1 } })).toThrow(ZodError)
})

test('keeps the recorded stream category', () => {
  expect(firstAdminDecider.category).toBe('setup')
  expect(firstAdminStreamId).toBe('admin')
})

test('evolves the state with each event', () => {
  const none = firstAdminDecider.initial
  expect(none).toEqual({ status: 'none' })
  expect(attemptOf(none)).toBe(0)
  expect(firstAdminDecider.evolve(none, shown(1))).toBe(none)
  const first = firstAdminDecider.evolve(none, chosen(1))
  expect(first).toEqual({ status: 'chosen', attempt: 1, details: details('password 1') })
  expect(firstAdminDecider.evolve(first, shown(1))).toEqual({ ...first, status: 'shown' })
})

test('records the expiry of a temporary password, and none otherwise', () => {
  const passwordExpiresAt = '2026-03-05T09:00:00.000Z'
  given([])
    .when({ ...choose(0), passwordExpiresAt })
    .then([{ type: 'FirstAdminChosen', data: { attempt: 1, details: details('password 1'), passwordExpiresAt } }])
  const decided = firstAdminDecider.decide(choose(0), firstAdminDecider.initial)
  expect(decided.ok && Object.keys(decided.value[0]?.data ?? {})).toEqual(['attempt', 'details'])
})
