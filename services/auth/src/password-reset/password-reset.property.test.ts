import { changePassword, forgotPassword, getProfile, resetPassword } from '@portal/contracts/auth/http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Applicant, applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { until } from '@portal/platform/testing/until'

const plenty = { max: 1_000_000, windowMs: 3_600_000 }
let portal: Harness
beforeAll(async () => {
  portal = await startHarness({
    limits: {
      resetLinksPerEmailAndAddress: plenty,
      resetLinksPerEmail: plenty,
      resetLinksPerAddress: plenty,
      passwordResetsPerAddress: plenty,
      passwordChangesPerUser: plenty,
    },
  })
})
afterAll(() => portal.stop())

type Step =
  | { readonly kind: 'log-in' }
  | { readonly kind: 'request' }
  /** The n-th newest token. */
  | { readonly kind: 'use'; readonly back: number }
  | { readonly kind: 'change'; readonly session: number }
  | { readonly kind: 'wait'; readonly minutes: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ kind: 'log-in' }),
  fc.constant<Step>({ kind: 'request' }),
  fc.record({ kind: fc.constant('use' as const), back: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant('change' as const), session: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 20, 31) }),
)

type Token = { readonly text: string; readonly madeAtMs: number; readonly password: string }

/** A minimal model of the guarantees, to compare the portal with. */
const createPerson = async (n: number) => {
  const mobileNumber = String(9_200_000_000 + n)
  const person: Applicant = { ...applicant, personalEmail: `reset-${n}@example.com`, mobileNumber }
  await portal.register(person)
  const { personalEmail } = person
  let password = person.password
  let passwords = 0
  let live: readonly string[] = []
  let ended: readonly string[] = []
  let tokens: readonly Token[] = []
  const nowMs = () => portal.world.clockAndIds.now().getTime()
  const nextPassword = () => `Haystack-${n}-${(passwords += 1)}`
  const links = () => portal.world.mails.filter(({ to, link }) => to === personalEmail && link !== undefined)

  const keepOnly = (kept: readonly string[]) => {
    ended = [...ended, ...live.filter((token) => !kept.includes(token))]
    live = kept
  }

  const logIn = async () => {
    live = [...live, (await portal.logIn({ personalEmail, password })).token]
  }
  const request = async () => {
    const before = links().length
    await portal.call(forgotPassword, { body: { personalEmail } })
    await until(() => expect(links()).toHaveLength(before + 1))
    const text = new URL(links().at(-1)?.link ?? '').searchParams.get('token') ?? ''
    tokens = [{ text, madeAtMs: nowMs(), password }, ...tokens]
  }
  const use = async (back: number) => {
    const token = tokens[back]
    if (!token) return
    const isGood = token.password === password && nowMs() - token.madeAtMs < 30 * 60_000
    const wished = nextPassword()
    const answer = await portal.inject(resetPassword, { params: { token: token.text }, body: { password: wished } })
    expect(answer.statusCode).toBe(isGood ? 200 : 400)
    if (!isGood) return
    password = wished
    keepOnly([])
  }
  const change = async (session: number) => {
    const token = live[session]
    if (token === undefined) return
    const newPassword = nextPassword()
    await portal.call(changePassword, { token, body: { currentPassword: password, newPassword } })
    password = newPassword
    keepOnly([token])
  }

  return {
    take: async (step: Step): Promise<void> => {
      switch (step.kind) {
        case 'log-in':
          return logIn()
        case 'request':
          return request()
        case 'use':
          return use(step.back)
        case 'change':
          return change(step.session)
        case 'wait':
          return portal.world.passSeconds(step.minutes * 60)
      }
    },
    check: async (): Promise<void> => {
      const isLive = async (token: string) => (await portal.inject(getProfile, { token })).statusCode === 200
      expect(await Promise.all(live.map(isLive))).toEqual(live.map(() => true))
      expect(await Promise.all(ended.map(isLive))).toEqual(ended.map(() => false))
      await portal.logIn({ personalEmail, password })
    },
  }
}

let people = 0

test('a token works at most once, and a new password ends all sessions except the current one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 16 }), async (steps) => {
      const person = await createPerson((people += 1))
      for (const step of steps) {
        await person.take(step)
        await person.check()
      }
    }),
    { numRuns: 25 },
  )
}, 300_000)
