import { cleanup, screen } from '@testing-library/react'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession } from '../../lib/session.ts'
import { ok, problem } from '../../testing/fake-portal.ts'
import { fakeServer, deferredAnswer, type FakeServer, type ServerAnswer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { fakeClock } from '../../testing/fake-clock.ts'
import { ResetPasswordPage } from './reset-password-page.tsx'

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  localStorage.clear()
  endSession('logged-out')
  server = fakeServer()
  clock = fakeClock()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = async (address: string) => {
  renderPages({ '/reset-password': <ResetPasswordPage /> }, address)
  await clock.flush()
}
const field = (label: string) => screen.getByLabelText(label)
const title = () => screen.getByRole('heading', { level: 1 }).textContent
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const press = async (name: string | RegExp) => {
  await clock.user.click(button(name))
  await clock.flush()
}
const messages = () => {
  const region = screen.queryByRole('region', { name: 'Messages' })
  return [...(region?.children ?? [])].map(({ textContent }) => textContent)
}
const problemWith = (body: object, answer: Extract<ServerAnswer, { status: number }>): ServerAnswer => ({
  ...answer,
  body: { ...Object(answer.body), ...body },
})

describe('requesting a reset link', () => {
  const call = 'POST /auth/forgot-password'
  beforeEach(() => server.on(call, () => ok({})))

  const ask = async (address = 'ananya@example.com') => {
    await open('/reset-password')
    await clock.fill(field('Personal email'), address)
    await press('Send Reset Link')
  }

  it('[W-1 W-2 W-7] asks for the personal email, links back to the login page, and shows a format error until it is edited', async () => {
    await open('/reset-password')
    expect(title()).toBe('Reset Password')
    expect(field('Personal email').getAttribute('type')).toBe('email')
    expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login')
    expect(document.title).toMatch(/^Reset Password · /)

    await press('Send Reset Link')
    expect(screen.getByText('Email is required')).toBeDefined()
    expect(document.activeElement).toBe(field('Personal email'))
    await clock.user.type(field('Personal email'), 'ananya@example')
    expect(screen.queryByText('Email is required')).toBeNull()
    await press('Send Reset Link')
    expect(screen.getByText('Please enter a valid email address')).toBeDefined()
    expect(server.requests).toEqual([])
  })

  it('[W-4 W-9 W-11] is busy until the response, sends one request, and says where the link was sent and what to do next', async () => {
    const held = deferredAnswer()
    server.on(call, held.handler)
    await ask('Ananya@Example.com')
    await press('Sending...')
    await clock.user.type(field('Personal email'), '{Enter}')
    expect(server.requestsTo(call).map(({ body }) => body)).toEqual([{ personalEmail: 'ananya@example.com' }])
    held.release(ok({}))
    await clock.flush()
    expect(title()).toBe('Check your email')

    const message = screen.getByText(/belongs to an account/).parentElement
    expect(message?.firstElementChild?.textContent).toBe('Password reset link sent to your email!')
    expect(messages()).toEqual([])
    expect(message?.textContent).toContain('ananya@example.com')
    expect(message?.textContent).toContain('30 minutes')
    expect(document.activeElement).toBe(message)
    expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login')
    await clock.advance(4000)
    expect(screen.getByText('Password reset link sent to your email!')).toBeDefined()
  })

  it('resends the link only after 30 seconds, or as long as the server demands, and accepts another address', async () => {
    await ask()
    expect(button('Resend Link').getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText('in 30 s')).toBeDefined()
    await clock.advance(29_000)
    await press('Resend Link')
    expect(server.requestsTo(call)).toHaveLength(1)
    await clock.advance(1000)
    await press('Resend Link')
    const expected = { personalEmail: 'ananya@example.com' }
    expect(server.requestsTo(call).map(({ body }) => body)).toEqual([expected, expected])
    expect(messages()).toEqual(['A new link is on its way.'])
    expect(screen.getByText('in 30 s')).toBeDefined()

    await clock.advance(30_000)
    const busy = problem(429, 'too-many-requests', 'Too many reset links requested.')
    server.on(call, () => problemWith({ retryAfterSeconds: 90 }, busy))
    await press('Resend Link')
    expect(screen.getByRole('alert').textContent).toContain('Too many reset links requested.')
    expect(screen.getByText('in 90 s')).toBeDefined()
    expect(title()).toBe('Check your email')
    await press('Use another email')
    expect(title()).toBe('Reset Password')
    expect(field('Personal email')).toHaveProperty('value', 'ananya@example.com')
  })

  it('keeps the reason of a failure when the toast has gone, until the address is edited or the request repeated', async () => {
    const reason = () => screen.queryByText('Too many reset links requested.')
    const busy = () => problem(429, 'too-many-requests', 'Too many reset links requested.')
    server.on(call, busy)
    await ask()
    await clock.advance(10_000)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(reason()).not.toBeNull()
    await clock.user.type(field('Personal email'), '{Backspace}')
    expect(reason()).toBeNull()
    server.on(call, () => ok({}))
    await press('Send Reset Link')
    await clock.advance(30_000)
    server.on(call, busy)
    await press('Resend Link')
    await clock.advance(10_000)
    expect(reason()).not.toBeNull()
    server.on(call, () => ok({}))
    await press('Resend Link')
    expect(reason()).toBeNull()
  })

  it("[W-12] stays if it fails, and shows the server's message about the address at its field", async () => {
    const failures: readonly (readonly [ServerAnswer, string])[] = [
      [problem(429, 'too-many-requests', 'Too many reset links'), 'Too many reset links'],
      [problem(500, 'internal', ''), 'Failed to send reset email'],
      ['unreachable', networkErrorMessage],
    ]
    server.on(call, () => 'unreachable')
    await ask()
    for (const [answer, message] of failures) {
      server.on(call, () => answer)
      await press('Send Reset Link')
      expect(screen.getByRole('alert').textContent).toContain(message)
      expect(title()).toBe('Reset Password')
      expect(field('Personal email')).toHaveProperty('value', 'ananya@example.com')
    }
    const errors = { personalEmail: 'This address is not accepted' }
    server.on(call, () => problemWith({ errors }, problem(400, 'invalid', 'Please enter a valid email address')))
    await press('Send Reset Link')
    expect(screen.getByText('This address is not accepted')).toBeDefined()
    expect(messages()).toEqual([])
    expect(document.activeElement).toBe(field('Personal email'))
  })
})

describe('setting a new password', () => {
  const token = 'Tok_en-1'
  const call = 'POST /auth/reset-password'
  beforeEach(() => server.on(call, () => ok({})))

  const openLink = () => open(`/reset-password?token=${token}`)
  const set = async () => {
    await openLink()
    await clock.fill(field('New Password'), 'Secret#1x')
    await clock.fill(field('Confirm Password'), 'Secret#1x')
    await press('Reset Password')
  }

  it('[W-1 W-3 W-5] asks for it twice, shows and hides each field separately, and requires both', async () => {
    await openLink()
    expect(title()).toBe('Set New Password')
    expect(screen.queryByLabelText('Personal email')).toBeNull()
    const [first] = screen.getAllByRole('button', { name: 'Show password' })
    if (first) await clock.user.click(first)
    expect(field('New Password').getAttribute('type')).toBe('text')
    expect(field('Confirm Password').getAttribute('type')).toBe('password')
    await press('Hide password')
    expect(field('New Password').getAttribute('type')).toBe('password')

    await press('Reset Password')
    expect(screen.getByText('New Password is required')).toBeDefined()
    expect(screen.getByText('Confirm Password is required')).toBeDefined()
    expect(document.activeElement).toBe(field('New Password'))
    await clock.user.type(field('New Password'), 'S')
    expect(screen.queryByText('New Password is required')).toBeNull()
  })

  it('[G-27 G-29 G-30 G-31 G-35 W-8] shows the first weakness, or that the two differ until one is edited', async () => {
    await openLink()
    for (const [password, message] of [
      ['a', 'Password must be at least 8 characters long'],
      ['aaaaaaaa', 'Password must contain at least one uppercase letter'],
      ['AAAAAAAA', 'Password must contain at least one lowercase letter'],
      ['Aaaaaaaa', 'Password must contain at least one digit'],
      ['NoSpecial11', 'Password must contain at least one special character'],
    ] as const) {
      await clock.fill(field('New Password'), password)
      await clock.fill(field('Confirm Password'), password)
      await press('Reset Password')
      const weaknesses = screen.getAllByText(/^Password must/).map(({ textContent }) => textContent)
      expect([password, ...weaknesses]).toEqual([password, message])
      expect(screen.queryByText('Passwords do not match')).toBeNull()
    }
    await clock.fill(field('New Password'), 'Secret#1x')
    await clock.fill(field('Confirm Password'), 'Secret#1y')
    await press('Reset Password')
    expect(screen.getByText('Passwords do not match')).toBeDefined()
    expect(document.activeElement).toBe(field('Confirm Password'))
    await clock.user.type(field('New Password'), '2')
    expect(screen.queryByText('Passwords do not match')).toBeNull()
    expect(server.requests).toEqual([])
  })

  it('[W-3 W-6 W-10 W-13] sets it with the token of the link, and redirects to the login page after 2 seconds', async () => {
    const held = deferredAnswer()
    server.on(call, held.handler)
    await set()
    await press('Resetting...')
    expect(server.requestsTo(call).map(({ body }) => body)).toEqual([{ token, password: 'Secret#1x' }])
    held.release(ok({}))
    await clock.flush()
    expect(screen.getByText('Password reset successfully! Redirecting to login...')).toBeDefined()
    await clock.advance(1999)
    expect(title()).toBe('Set New Password')
    await clock.advance(1)
    expect(screen.getByText('At /login')).toBeDefined()
  })

  it.each<[string, ServerAnswer]>([
    [
      'used or expired',
      problem(400, 'invalid', 'This link has expired or was already used. Please request a new one.'),
    ],
    ['no token at all', problem(404, 'not-found', 'There is no such call')],
  ])('offers a new link if this one is invalid: %s', async (_case, answer) => {
    server.on(call, () => answer)
    await set()
    const message = 'This link has expired or was already used.'
    expect(messages()).toEqual([])
    await clock.advance(4000)
    expect(screen.getByText(message)).toBeDefined()
    expect(screen.queryByLabelText('New Password')).toBeNull()
    const wayOn = screen.getByRole('link', { name: 'Request a new link' })
    expect(document.activeElement).toBe(wayOn)
    expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login')
    await clock.user.click(wayOn)
    await clock.flush()
    expect(title()).toBe('Reset Password')
  })

  it('[U-24] speaks of a new account after the link of an invitation, and of the center once that is not valid', async () => {
    await open(`/reset-password?token=${token}#email=asha%40example.com&for=invitation`)
    expect(title()).toBe('Set New Password')
    expect(screen.getByText('Choose the password of your new account.')).toBeDefined()
    const typed = 'Secret#1x'
    await clock.fill(field('New Password'), typed)
    await clock.fill(field('Confirm Password'), typed)
    const exists = 'An account with this email already exists. Please log in.'
    server.on(call, () => problem(409, 'conflict', exists))
    await press('Reset Password')
    expect(screen.getByRole('alert').textContent).toContain(exists)
    server.on(call, () => problem(400, 'invalid', 'This link has expired or was already used.'))
    await press('Reset Password')
    expect(screen.getByText(/ask the center to invite you again\.$/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Request a new link' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Back to Login' }))
  })

  it('keeps the reason of a failure when the toast has gone, until a password is edited', async () => {
    server.on(call, () => problem(503, 'unavailable', 'The portal is very busy'))
    await set()
    await clock.advance(10_000)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('The portal is very busy')).toBeDefined()
    await clock.user.type(field('Confirm Password'), 'x')
    expect(screen.queryByText('The portal is very busy')).toBeNull()
  })

  it("[W-14] stays if it fails, and shows the server's message about the password at its field", async () => {
    const failures: readonly (readonly [ServerAnswer, string])[] = [
      [problem(503, 'unavailable', 'The portal is very busy'), 'The portal is very busy'],
      [problem(500, 'internal', ''), 'Failed to reset password'],
      ['unreachable', networkErrorMessage],
    ]
    server.on(call, () => 'unreachable')
    await set()
    for (const [answer, message] of failures) {
      server.on(call, () => answer)
      await press('Reset Password')
      expect(screen.getByRole('alert').textContent).toContain(message)
      expect(screen.queryByRole('link', { name: 'Request a new link' })).toBeNull()
      expect(field('New Password')).toHaveProperty('value', 'Secret#1x')
      await clock.advance(5000)
      expect(title()).toBe('Set New Password')
    }
    const errors = { password: 'Password is too well known' }
    server.on(call, () => problemWith({ errors }, problem(400, 'invalid', 'Password is too well known')))
    await press('Reset Password')
    expect(screen.getAllByText('Password is too well known')).toHaveLength(1)
    expect(document.activeElement).toBe(field('New Password'))
  })
})
