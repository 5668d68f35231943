import { sealedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/decider/specification'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { type Channel, channels, type PerChannel } from './channel.ts'
import { codeLimits } from './code-limits.ts'
import type { RegistrationCommand } from './commands.ts'
import { registrationDecider, type RegistrationState } from './decider.ts'
import type { RegistrationDetails, RegistrationEvent } from './events.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const otherUserId = userIdSchema.parse('01980000-0000-7000-8000-000000000002')
const startMs = Date.parse('2026-03-02T09:00:00.000Z')
const at = (seconds: number) => new Date(startMs + seconds * 1_000)
const minute = 60

const details: RegistrationDetails = {
  userId,
  role: 'student',
  emailIndex: 'email-index',
  mobileIndex: 'mobile-index',
  profile: sealedTextSchema.parse('sealed profile'),
  credential: sealedTextSchema.parse('sealed credential'),
}

const initiated: RegistrationEvent = { type: 'RegistrationInitiated', data: details }
const completed: RegistrationEvent = {
  type: 'RegistrationCompleted',
  data: { userId, emailIndex: details.emailIndex },
}
const wrong = (...wrongChannels: Channel[]): RegistrationEvent => ({
  type: 'WrongCodesEntered',
  data: { channels: wrongChannels },
})
const notSent = (issueId: string): RegistrationEvent => ({ type: 'CodesNotSent', data: { issueId } })

const issued = (
  seconds: number,
  codes: PerChannel<string>,
  kind: 'first' | 'resend' = 'first',
  issueId = `issue at ${seconds}`,
): RegistrationEvent => ({
  type: 'CodesIssued',
  data: {
    issueId,
    codes,
    kind,
    issuedAt: at(seconds).toISOString(),
    expiresAt: at(seconds + 10 * minute).toISOString(),
  },
})

const both = { email: 'e1', mobile: 'm1' }
const pending = [initiated, issued(0, both)]

const initiate = (seconds: number, codes: PerChannel<string> = both): RegistrationCommand => ({
  type: 'InitiateRegistration',
  details,
  fresh: { issueId: `issue at ${seconds}`, codes, now: at(seconds) },
})
const resend = (
  seconds: number,
  codes: PerChannel<string>,
  mobileIndex = details.mobileIndex,
): RegistrationCommand => ({
  type: 'ResendCodes',
  mobileIndex,
  fresh: { issueId: `issue at ${seconds}`, codes, now: at(seconds) },
})
const verify = (
  seconds: number,
  entered: PerChannel<string>,
  mobileIndex = details.mobileIndex,
): RegistrationCommand => ({
  type: 'VerifyCodes',
  mobileIndex,
  entered,
  now: at(seconds),
})

const { given } = specification(registrationDecider)

describe('initiating', () => {
  test('records the details and a code for each channel, valid for ten minutes', () => {
    given([])
      .when(initiate(0))
      .then([initiated, issued(0, both)])
  })

  test('is refused when the address has an account', () => {
    given([...pending, completed])
      .when(initiate(5_000))
      .thenRejected({ reason: 'already-registered' })
  })

  test('is possible again after the account was erased', () => {
    given([...pending, completed, { type: 'EmailReleased', data: { userId } }])
      .when(initiate(10))
      .then([initiated, issued(10, both)])
  })

  test('again while pending replaces the details and counts as a resend', () => {
    const changed = { ...details, userId: otherUserId, mobileIndex: 'other-mobile' }
    const command = { ...initiate(31, { email: 'e2', mobile: 'm2' }), details: changed } as const
    given(pending)
      .when(command)
      .then([{ type: 'RegistrationInitiated', data: changed }, issued(31, { email: 'e2', mobile: 'm2' }, 'resend')])
  })

  test('again within 30 seconds is refused with the time to wait', () => {
    given(pending).when(initiate(12)).thenRejected({ reason: 'sent-too-recently', retryAfterSeconds: 18 })
  })
})

describe('resending', () => {
  test('needs a registration that is under way', () => {
    given([])
      .when(resend(40, { email: 'e2' }))
      .thenRejected({ reason: 'not-pending' })
    given([...pending, completed])
      .when(resend(40, { email: 'e2' }))
      .thenRejected({ reason: 'not-pending' })
  })

  test('needs the number it was started with', () => {
    given(pending)
      .when(resend(40, { email: 'e2' }, 'another'))
      .thenRejected({ reason: 'does-not-match' })
  })

  test.each([
    [0, 30],
    [29.5, 1],
    [29.999, 1],
  ])('%s seconds after the last code is too soon', (seconds, retryAfterSeconds) => {
    given(pending).when(resend(seconds, both)).thenRejected({ reason: 'sent-too-recently', retryAfterSeconds })
  })

  test('after 30 seconds issues a new code', () => {
    given(pending)
      .when(resend(30, { email: 'e2' }))
      .then([issued(30, { email: 'e2' }, 'resend')])
  })

  test('over one channel leaves the other free to resend', () => {
    given([...pending, issued(40, { email: 'e2' }, 'resend')])
      .when(resend(41, { mobile: 'm2' }))
      .then([issued(41, { mobile: 'm2' }, 'resend')])
  })

  test('is possible five times an hour, not counting the first codes', () => {
    const resends = [1, 2, 3, 4].map((n) => issued(n * minute, both, 'resend'))
    given([...pending, ...resends])
      .when(resend(5 * minute, both))
      .then([issued(5 * minute, both, 'resend')])
    given([...pending, ...resends, issued(5 * minute, both, 'resend')])
      .when(resend(10 * minute, both))
      .thenRejected({ reason: 'sent-too-often', retryAfterSeconds: 51 * minute })
    given([...pending, ...resends, issued(5 * minute, both, 'resend')])
      .when(resend(61 * minute, both))
      .then([issued(61 * minute, both, 'resend')])
  })

  test('what could not be sent may be repeated at once and does not count as a resend', () => {
    given([initiated, issued(0, both, 'first', 'lost'), notSent('lost')])
      .when(resend(1, both))
      .then([issued(1, both, 'resend')])
    const failed = [1, 2, 3, 4, 5].flatMap((n) => [
      issued(n * minute, both, 'resend', `lost ${n}`),
      notSent(`lost ${n}`),
    ])
    given([...pending, ...failed])
      .when(resend(5 * minute + 1, both))
      .then([issued(5 * minute + 1, both, 'resend')])
  })

  test('what could not be sent cannot be repeated without end', () => {
    const failed = Array.from({ length: codeLimits.sendingsPerWindow }, (_, n) => [
      issued(n, both, 'resend', `lost ${n}`),
      notSent(`lost ${n}`),
    ]).flat()
    given([initiated, ...failed])
      .when(resend(100, both))
      .thenRejected({ reason: 'sent-too-often', retryAfterSeconds: 3_500 })
  })

  test('reporting a failed send for a registration that is not pending changes nothing', () => {
    given([]).when({ type: 'ReportCodesNotSent', issueId: 'lost' }).thenNothing()
  })
})

describe('verifying', () => {
  test.each([{ email: 'e1' }, { mobile: 'm1' }, both])('%o completes the registration', (entered) => {
    given(pending).when(verify(60, entered)).then([completed])
  })

  test.each<[PerChannel<string>, Channel[]]>([
    [{ email: 'x' }, ['email']],
    [{ mobile: 'x' }, ['mobile']],
    [{ email: 'e1', mobile: 'x' }, ['mobile']],
    [{ email: 'm1', mobile: 'e1' }, ['email', 'mobile']],
  ])('%o is recorded as wrong', (entered, wrongChannels) => {
    given(pending)
      .when(verify(60, entered))
      .then([wrong(...wrongChannels)])
  })

  test('a code is good for 10 minutes', () => {
    given(pending)
      .when(verify(10 * minute - 1, { email: 'e1' }))
      .then([completed])
    given(pending)
      .when(verify(10 * minute, { email: 'e1' }))
      .thenRejected({ reason: 'code-expired' })
  })

  test('only the newest code of a channel counts', () => {
    const resent = [...pending, issued(40, { email: 'e2' }, 'resend')]
    given(resent)
      .when(verify(50, { email: 'e1' }))
      .then([wrong('email')])
    given(resent)
      .when(verify(50, { email: 'e2', mobile: 'm1' }))
      .then([completed])
  })

  test('after five wrong attempts even the right code is refused, until a new one is sent', () => {
    const guesses = Array.from({ length: 5 }, () => wrong('email'))
    given([...pending, ...guesses.slice(1)])
      .when(verify(60, { email: 'e1' }))
      .then([completed])
    given([...pending, ...guesses])
      .when(verify(60, { email: 'e1' }))
      .thenRejected({ reason: 'too-many-wrong-codes' })
    given([...pending, ...guesses, issued(70, { email: 'e2' }, 'resend')])
      .when(verify(80, { email: 'e2' }))
      .then([completed])
  })

  test('wrong attempts on one channel leave the other one usable', () => {
    given([...pending, ...Array.from({ length: 5 }, () => wrong('email'))])
      .when(verify(60, { mobile: 'm1' }))
      .then([completed])
  })

  test('with another number never succeeds and uses up no attempts', () => {
    given(pending)
      .when(verify(60, { email: 'e1' }, 'another'))
      .thenRejected({ reason: 'does-not-match' })
  })

  test('without a registration, or without any code, is refused', () => {
    given([])
      .when(verify(60, { email: 'e1' }))
      .thenRejected({ reason: 'does-not-match' })
    given(pending).when(verify(60, {})).thenRejected({ reason: 'does-not-match' })
  })

  test('a completed registration accepts its codes once more and no others', () => {
    given([...pending, completed])
      .when(verify(60, both))
      .thenNothing()
    given([...pending, completed])
      .when(verify(60, { email: 'x' }))
      .thenRejected({ reason: 'does-not-match' })
  })

  test('one that was completed without codes accepts none', () => {
    given([initiated, completed])
      .when(verify(60, { email: 'e1' }))
      .thenRejected({ reason: 'does-not-match' })
  })
})

describe('a caller that says which browser it is', () => {
  const begun = [{ ...initiated, data: { ...details, browserHash: 'browser-1' } }, issued(0, both)]
  const from = (browserHash: string, command: RegistrationCommand) => ({ ...command, browserHash }) as const

  test('goes on with what it has begun', () => {
    given(begun)
      .when(from('browser-1', verify(60, { email: 'e1' })))
      .then([completed])
    given(begun)
      .when(from('browser-1', resend(40, { email: 'e2' })))
      .then([issued(40, { email: 'e2' }, 'resend')])
  })

  test('is refused what another began, which uses up no attempts', () => {
    for (const command of [verify(60, { email: 'e1' }), verify(60, { email: 'x' }), resend(40, { email: 'e2' })]) {
      given(begun).when(from('browser-2', command)).thenRejected({ reason: 'not-begun-here' })
    }
    given([])
      .when(from('browser-1', verify(60, { email: 'e1' })))
      .thenRejected({ reason: 'not-begun-here' })
  })

  test('is replaced by the one that begins it anew, and not by one that has codes sent again', () => {
    given([...begun, issued(40, { email: 'e2' }, 'resend')])
      .when(from('browser-1', verify(60, { email: 'e2' })))
      .then([completed])
    given([...begun, { ...initiated, data: { ...details, browserHash: 'browser-2' } }, issued(40, both, 'resend')])
      .when(from('browser-1', verify(60, both)))
      .thenRejected({ reason: 'not-begun-here' })
  })

  test('is not asked by a registration from before that was recorded, nor does one that says nothing have to', () => {
    given(pending)
      .when(from('browser-1', verify(60, { email: 'e1' })))
      .then([completed])
    given(begun)
      .when(verify(60, { email: 'e1' }))
      .then([completed])
  })
})

describe('registering directly', () => {
  test('completes without codes', () => {
    given([]).when({ type: 'RegisterDirectly', details }).then([initiated, completed])
  })

  test('is refused when the address has an account', () => {
    given([initiated, completed])
      .when({ type: 'RegisterDirectly', details })
      .thenRejected({ reason: 'already-registered' })
  })
})

describe('releasing the address', () => {
  test('is recorded once, for the user who had it', () => {
    given([initiated, completed])
      .when({ type: 'ReleaseEmail', userId })
      .then([{ type: 'EmailReleased', data: { userId } }])
    given([initiated, completed]).when({ type: 'ReleaseEmail', userId: otherUserId }).thenNothing()
    given([]).when({ type: 'ReleaseEmail', userId }).thenNothing()
  })
})

test('a stored event of an unknown type or shape is refused', () => {
  expect(() => registrationDecider.parse({ type: 'RegistrationInvented', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => registrationDecider.parse({ type: 'CodesIssued', data: { issueId: 'x' } })).toThrow(ZodError)
})

describe('whatever is tried, at whatever moments', () => {
  /** Times go forward; each step tries one command. */
  const steps = fc.array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 900 }),
      action: fc.constantFrom('initiate', 'resend-email', 'resend-both', 'fail', 'guess-email', 'guess-both'),
    }),
    { maxLength: 120 },
  )

  const play = (script: readonly { seconds: number; action: string }[]) => {
    let state: RegistrationState = registrationDecider.initial
    let now = 0
    let issue = 0
    const log: { at: number; event: RegistrationEvent }[] = []
    for (const { seconds, action } of script) {
      now += seconds
      issue += 1
      const codes = action === 'resend-email' ? { email: `e${issue}` } : { email: `e${issue}`, mobile: `m${issue}` }
      const fresh = { issueId: `i${issue}`, codes, now: at(now) }
      const commands: Record<string, RegistrationCommand> = {
        initiate: { type: 'InitiateRegistration', details, fresh },
        'resend-email': { type: 'ResendCodes', mobileIndex: details.mobileIndex, fresh },
        'resend-both': { type: 'ResendCodes', mobileIndex: details.mobileIndex, fresh },
        fail: { type: 'ReportCodesNotSent', issueId: `i${issue - 1}` },
        'guess-email': verify(now, { email: 'guess' }),
        'guess-both': verify(now, { email: 'guess', mobile: 'guess' }),
      }
      const command = commands[action]
      if (!command) throw new Error(`No command for ${action}`)
      const decided = registrationDecider.decide(command, state)
      for (const event of decided.ok ? decided.value : []) {
        state = registrationDecider.evolve(state, event)
        log.push({ at: now, event })
      }
    }
    return log
  }

  const within = (seconds: number, end: number) => seconds > end - 3_600 && seconds <= end

  test.each(channels)('nobody gets more codes over %s than the limits allow', (channel) => {
    fc.assert(
      fc.property(steps, (script) => {
        const log = play(script)
        const all = log.flatMap(({ at: seconds, event }) =>
          event.type === 'CodesIssued' && event.data.codes[channel] !== undefined
            ? [{ seconds, kind: event.data.kind, issueId: event.data.issueId }]
            : [],
        )
        const failed = new Set(log.map(({ event }) => (event.type === 'CodesNotSent' ? event.data.issueId : undefined)))
        const sent = all.filter(({ issueId }) => !failed.has(issueId))
        const resent = sent.filter(({ kind }) => kind === 'resend')

        const gaps = sent.slice(1).map(({ seconds }, n) => seconds - (sent[n]?.seconds ?? 0))
        expect(gaps.filter((gap) => gap < 30)).toEqual([])
        for (const [limit, sendings] of [
          [codeLimits.resendsPerWindow, resent],
          [codeLimits.sendingsPerWindow, all],
        ] as const) {
          const perHour = sendings.map((last) => sendings.filter(({ seconds }) => within(seconds, last.seconds)).length)
          expect(Math.max(0, ...perHour)).toBeLessThanOrEqual(limit)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('nobody gets more than five guesses at a code', () => {
    fc.assert(
      fc.property(steps, (script) => {
        let guesses = 0
        for (const { event } of play(script)) {
          if (event.type === 'CodesIssued' && event.data.codes.email !== undefined) guesses = 0
          if (event.type === 'WrongCodesEntered' && event.data.channels.includes('email')) guesses += 1
          expect(guesses).toBeLessThanOrEqual(codeLimits.wrongAttempts)
        }
      }),
      { numRuns: 300 },
    )
  })
})
