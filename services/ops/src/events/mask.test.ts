import type { Position, RecordedEvent } from '@portal/platform/event-store/port'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventLines, maskEvent } from './mask.ts'

const userId = '0197a8f0-0000-7000-8000-000000000001'
const emailIndex = 'a1b2c3d4'.repeat(8)

const recorded = (stream: string, type: string, data: object): RecordedEvent => ({
  kind: 'event',
  position: '0000000000000042' as Position,
  stream,
  revision: 0,
  id: '0197a8f0-0000-7000-8000-000000000002',
  type,
  data,
  metadata: {},
  at: '2026-11-21T14:00:00.000Z',
})

it('keeps ids, times, numbers and constants', () => {
  const data = {
    notificationId: userId,
    settled: [{ bucket: 'b07', outcomes: [{ userId, state: 'failed', reason: 'provider unavailable' }] }],
    expiresAt: '2026-11-21T14:00:00.000Z',
    targeted: 3,
    isTrue: true,
    nothing: null,
  }
  expect(maskEvent(recorded(`campaign-${userId}`, 'RecipientsSettled', data)).data).toEqual(data)
})

it('hides encrypted data and user input, and shortens keyed hashes', () => {
  const data = {
    userId,
    emailIndex,
    profile: 'AQx9',
    credential: 'AQy8',
    account: { userId, replaces: 'AQy8' },
    codes: { email: emailIndex },
    text: { title: 'Ann, come!', message: 'Call +44 20 7946 0000' },
    name: 'Ann Lee',
  }
  const masked = maskEvent(recorded(`registration-${emailIndex}`, 'RegistrationInitiated', data))
  expect(masked.stream).toBe('registration-a1b2c3d4…')
  expect(masked.data).toEqual({
    userId,
    emailIndex: 'a1b2c3d4…',
    profile: '«encrypted»',
    credential: '«encrypted»',
    account: { userId, replaces: '«encrypted»' },
    codes: { email: 'a1b2c3d4…' },
    text: { title: '«10 characters»', message: '«21 characters»' },
    name: '«7 characters»',
  })
})

it('hides a passkey, but not where it was added', () => {
  const data = { passkeyId: userId, credentialId: 'AQx9', publicKey: 'AQy8', credentialIndex: emailIndex, counter: 3 }
  const shown = { label: 'Chrome on Android', transports: ['internal'], day: '2026-11-21' }
  expect(maskEvent(recorded(`secondfactor-${userId}`, 'PasskeyAdded', { ...data, ...shown })).data).toEqual({
    ...data,
    ...shown,
    credentialId: '«encrypted»',
    publicKey: '«encrypted»',
    credentialIndex: 'a1b2c3d4…',
  })
})

it('hides what an admin wrote, but not why planned recipients did not get a campaign', () => {
  const maskedReason = (type: string, reason: string) => {
    const data = { notificationId: userId, requestedBy: userId, reason, buckets: ['b07'] }
    const masked = maskEvent(recorded(`campaign-${userId}`, type, data)).data
    expect(masked).toEqual({ ...data, reason: expect.any(String) })
    return Object(masked).reason
  }
  for (const type of ['CancelRequested', 'ResendRequested', 'CampaignRecalled'])
    expect([type, maskedReason(type, 'Ann Lee asked for it')]).toEqual([type, '«20 characters»'])
  expect(maskedReason('RecipientsWithheld', 'cancelled by an admin')).toBe('cancelled by an admin')
})

it('shows programs, enrollments and universities', () => {
  const program = { _id: userId, programId: 'MIN-AI-01', programName: 'Minor in AI', toolkit: [{ name: 'Git' }] }
  expect(maskEvent(recorded('program-catalogue', 'ProgramAdded', { program })).data).toEqual({ program })
  const enrolled = { userId, programId: userId, programName: 'Minor in AI', paymentStatus: 'Pending' }
  expect(maskEvent(recorded(`enrollment-${userId}`, 'LearnerEnrolled', enrolled)).data).toEqual(enrolled)
  const data = { universityId: userId, name: 'Open University' }
  expect(maskEvent(recorded('university-directory', 'UniversityAdded', data)).data).toEqual(data)
})

it('hides unknown text fields at any depth', () => {
  const secret = 'ann.lee@example.com'
  const anywhere = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constant(secret), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(fc.constantFrom('name', 'note', 'title', 'details', 'x'), tie('value'), { maxKeys: 4 }),
  })).object
  fc.assert(
    fc.property(anywhere, (data) => {
      const masked = maskEvent(recorded(`user-${userId}`, 'SomethingNew', data as object))
      expect(JSON.stringify(masked)).not.toContain(secret)
      expect(eventLines([masked], { isCut: false, isAfter: false })).not.toContain(secret)
    }),
  )
})

it('escapes control characters', () => {
  const { data, ...event } = maskEvent(recorded('user-1', 'X', { reason: '\u001b[2Jgone\u009b1m\u202e' }))
  const line = eventLines([{ ...event, data }], { isCut: false, isAfter: false })
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(line).toContain('gone')
})

it('shows all data of an event with LONG=1, and cuts the line to the terminal otherwise', () => {
  const event = maskEvent(recorded('user-1', 'X', { kind: 'y'.repeat(2_000) }))
  const shape = { isCut: false, isAfter: false }
  const cut = eventLines([event], shape)
  const whole = eventLines([event], { ...shape, isLong: true })
  expect(whole.length).toBeGreaterThan(2_000)
  expect(cut.length).toBeLessThan(1_000)
  expect(eventLines([event], { ...shape, terminal: { width: 100, isColored: false } })).toHaveLength(100)
})
