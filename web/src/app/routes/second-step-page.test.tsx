import { cleanup, screen } from '@testing-library/react'
import type { Problem } from '@portal/contracts/shared/problem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession } from '../../lib/session.ts'
import { aUser, ok, problem, type FakeAnswer } from '../../testing/fake-portal.ts'
import { fakePasskeys, passkeyCreation, passkeyRequest } from '../../testing/fake-passkeys.ts'
import { deferredAnswer, fakeServer, type FakeServer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { fakeClock } from '../../testing/fake-clock.ts'
import { LoginPage } from './login-page.tsx'
// Loaded before the tests, which control the clock.
import './login-second-step.tsx'

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  localStorage.clear()
  endSession('logged-out')
  server = fakeServer()
  clock = fakeClock()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

type Step = NonNullable<Problem['secondStep']>
const asks = (kind: Step['kind'], factors?: Step['factors']): FakeAnswer => {
  const { status, body } = problem(401, 'unauthenticated', 'Your account has two-step verification.')
  return { status, body: { ...Object(body), secondStep: { kind, challenge: 'proof', ...(factors && { factors }) } } }
}
const loggedIn = (more = {}) => ok({ data: { user: aUser({ role: 'admin' }), token: 'token-1' }, ...more })

const enterPassword = async (kind: Step['kind'] = 'code', factors?: Step['factors']) => {
  server.on('POST /auth/login', () => asks(kind, factors))
  renderPages({ '/login': <LoginPage /> }, '/login')
  await clock.fill(screen.getByLabelText('Email'), 'ananya@example.com')
  await clock.fill(screen.getByLabelText('Password'), 'Secret#1x')
  await press('Login')
}
const press = async (name: string) => {
  await clock.user.click(screen.getByRole('button', { name }))
  await clock.flush()
}
const appCode = () => screen.getByLabelText('Code from your authenticator app')
const wrong = 'This code is not right. Please try the current one.'
const wrongCode = (): FakeAnswer => {
  const { status, body } = problem(400, 'invalid', wrong)
  return { status, body: { ...Object(body), errors: { code: wrong } } }
}

describe('the second step of a login', () => {
  it('[L-23] asks for the code of the app on the same page, says what is wrong with it, and then logs in as usual', async () => {
    await enterPassword()
    expect(screen.getByRole('heading', { level: 1, name: 'Two-step verification' })).toBeDefined()
    expect(localStorage.getItem('token')).toBeNull()
    expect(document.activeElement).toBe(appCode())
    expect([appCode().getAttribute('inputmode'), appCode().getAttribute('autocomplete')]).toEqual([
      'numeric',
      'one-time-code',
    ])
    await press('Login')
    expect(screen.getByText('Please enter a code.')).toBeDefined()
    server.on('POST /auth/login/second-step', wrongCode)
    await clock.fill(appCode(), '000 000')
    await press('Login')
    expect(screen.getByText(wrong)).toBeDefined()
    expect(document.activeElement).toBe(appCode())
    server.on('POST /auth/login/second-step', () => problem(429, 'too-many-requests', 'Too many wrong attempts.'))
    await press('Login')
    expect(screen.getByRole('alert').textContent).toBe('Too many wrong attempts.')
    server.on('POST /auth/login/second-step', () => loggedIn())
    await clock.fill(appCode(), '123 456')
    await press('Login')
    expect(server.requestsTo('POST /auth/login/second-step').at(-1)?.body).toEqual({
      challenge: 'proof',
      code: '123 456',
    })
    expect(screen.getByText('Login successful! Redirecting...')).toBeDefined()
    expect(localStorage.getItem('token')).toBe('token-1')
    await clock.advance(1_000)
    expect(screen.getByText('At /admin/dashboard')).toBeDefined()
  })

  it('[L-24] takes a recovery code instead, and leads back to the password, also when it took too long', async () => {
    await enterPassword()
    await press('Use a recovery code')
    expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'))
    server.on('POST /auth/login/second-step', () =>
      problem(401, 'unauthenticated', 'This took too long. Please log in again.'),
    )
    await clock.fill(screen.getByLabelText('Recovery code'), 'kr7tq2-m9wbhz')
    await press('Login')
    expect(screen.getByRole('alert').textContent).toContain('This took too long. Please log in again.')
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'ananya@example.com')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
    await clock.fill(screen.getByLabelText('Password'), 'Secret#1x')
    await press('Login')
    await press('Use a recovery code')
    await press('Use your authenticator app')
    expect(appCode()).toBeDefined()
    await press('Back to password')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })

  it('[L-25] lets an admin who needs it set it up, shows the recovery codes, and then goes on', async () => {
    await enterPassword('set-up')
    const uri = 'otpauth://totp/Minor%20Programs:a?secret=ABCDEFGH'
    server.on('POST /auth/login/totp', () => ok({ secret: 'ABCDEFGH', uri }))
    await press('Set it up')
    expect(screen.getByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined()
    expect(screen.getByText('ABCD EFGH')).toBeDefined()
    server.on('POST /auth/login/totp/confirm', wrongCode)
    await clock.fill(appCode(), '000000')
    await press('Turn on')
    expect(screen.getByText(wrong)).toBeDefined()
    server.on('POST /auth/login/totp/confirm', () => loggedIn({ recoveryCodes: ['kr7tq2-m9wbhz', 'abcdef-ghjkmn'] }))
    await press('Turn on')
    expect(screen.getByText('abcdef-ghjkmn')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your recovery codes' }))
    await clock.advance(5_000)
    await press('Continue')
    expect(screen.getByText('Login successful! Redirecting...')).toBeDefined()
    await clock.advance(1_000)
    expect(screen.getByText('At /admin/dashboard')).toBeDefined()
  })

  it('leads back to the password if setting it up is refused', async () => {
    await enterPassword('set-up')
    const message = 'Two-step verification is already on. Please log in again.'
    server.on('POST /auth/login/totp', () => problem(409, 'conflict', message))
    await press('Set it up')
    expect(screen.getByRole('alert').textContent).toContain(message)
    expect(screen.getByLabelText('Password')).toBeDefined()
  })
})

const has = (name: string) => screen.queryByRole('button', { name }) !== null

describe('a passkey as the second step', () => {
  it('[L-26] is asked for by the browser after a press, and then logs in as usual', async () => {
    const passkeys = fakePasskeys()
    await enterPassword('code', ['totp', 'passkey'])
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Use a passkey' }))
    expect(passkeys.asked).toEqual([])
    server.on('POST /auth/login/passkey', () => ok({ options: passkeyRequest }))
    server.on('POST /auth/login/passkey/confirm', () => loggedIn())
    await press('Use a passkey')
    expect(passkeys.asked[0]?.publicKey?.rpId).toBe('portal.example')
    expect(server.requestsTo('POST /auth/login/passkey/confirm')[0]?.body).toEqual({
      challenge: 'proof',
      credential: {
        id: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'Y2xpZW50', authenticatorData: 'ZGF0YQ', signature: 'c2lnbmVk' },
      },
    })
    expect(localStorage.getItem('token')).toBe('token-1')
    expect(screen.getByText('Login successful! Redirecting...')).toBeDefined()
    await clock.advance(1_000)
    expect(screen.getByText('At /admin/dashboard')).toBeDefined()
  })

  it('[L-26] can be pressed again if it was canceled or refused, and leads back when it took too long', async () => {
    const passkeys = fakePasskeys()
    await enterPassword('code', ['passkey'])
    server.on('POST /auth/login/passkey', () => ok({ options: passkeyRequest }))
    passkeys.becomes('canceled')
    await press('Use a passkey')
    expect(screen.getByRole('alert').textContent).toBe('Your passkey was not used. Please try again.')
    passkeys.becomes('done')
    server.on('POST /auth/login/passkey/confirm', () =>
      problem(400, 'invalid', 'This passkey did not work. Please try again.'),
    )
    await press('Use a passkey')
    expect(screen.getByRole('alert').textContent).toBe('This passkey did not work. Please try again.')
    server.on('POST /auth/login/passkey', () =>
      problem(401, 'unauthenticated', 'This took too long. Please log in again.'),
    )
    await press('Use a passkey')
    expect(screen.getByRole('alert').textContent).toContain('This took too long. Please log in again.')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })

  it('[L-24 L-26] leaves the choice of a code, if there is an app, and of a recovery code', async () => {
    fakePasskeys()
    await enterPassword('code', ['totp', 'passkey'])
    expect([has('Use a code instead'), has('Use a recovery code')]).toEqual([true, true])
    await press('Use a code instead')
    expect(document.activeElement).toBe(appCode())
    expect([has('Use a passkey'), has('Use a recovery code')]).toEqual([true, true])
    await press('Use a recovery code')
    expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'))
    await press('Use a passkey')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Use a passkey' }))
    await press('Back to password')
    await clock.fill(screen.getByLabelText('Password'), 'Secret#1x')
    server.on('POST /auth/login', () => asks('code', ['passkey']))
    await press('Login')
    expect([has('Use a code instead'), has('Use a recovery code')]).toEqual([false, true])
  })

  it('[L-26] is not asked for by a browser without passkeys, nor of those who have an app only', async () => {
    await enterPassword('code', ['passkey'])
    expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'))
    expect(screen.getByText(/^This browser has no passkeys\. Enter one of the codes/)).toBeDefined()
    expect([has('Use a passkey'), has('Use your authenticator app')]).toEqual([false, false])
    fakePasskeys()
    await press('Back to password')
    await clock.fill(screen.getByLabelText('Password'), 'Secret#1x')
    server.on('POST /auth/login', () => asks('code', ['totp']))
    await press('Login')
    expect(document.activeElement).toBe(appCode())
    expect([has('Use a passkey'), has('Use a recovery code')]).toEqual([false, true])
    expect(screen.queryByText(/no passkeys/)).toBeNull()
  })

  it('[L-24 L-26] is missed with a reason where the address of the portal has none', async () => {
    fakePasskeys()
    await enterPassword('code', [])
    expect(screen.getByText(/^Your passkey does not work at this address of the portal\. Enter one of/)).toBeDefined()
    await press('Back to password')
    await clock.fill(screen.getByLabelText('Password'), 'Secret#1x')
    const passkeys = fakePasskeys()
    server.on('POST /auth/login', () => asks('code', ['passkey']))
    server.on('POST /auth/login/passkey', () => ok({ options: passkeyRequest }))
    passkeys.becomes('elsewhere')
    await press('Login')
    await press('Use a passkey')
    expect(screen.getByRole('alert').textContent).toBe(
      'Passkeys do not work at this address of the portal. Please use another way.',
    )
  })

  it('[L-24 L-26] is no longer asked for once another way is chosen', async () => {
    const passkeys = fakePasskeys()
    passkeys.becomes('open')
    await enterPassword('code', ['totp', 'passkey'])
    server.on('POST /auth/login/passkey', () => ok({ options: passkeyRequest }))
    await press('Use a passkey')
    expect(passkeys.asked.map(({ signal }) => signal.aborted)).toEqual([false])
    await press('Use a code instead')
    expect(passkeys.asked.map(({ signal }) => signal.aborted)).toEqual([true])
    await press('Use a passkey')
    const held = deferredAnswer()
    server.on('POST /auth/login/passkey', held.handler)
    await press('Use a passkey')
    await press('Use a recovery code')
    held.release(ok({ options: passkeyRequest }))
    await clock.flush()
    expect(passkeys.asked).toHaveLength(1)
  })

  it('[L-25] can be what an admin who needs one sets up', async () => {
    const passkeys = fakePasskeys()
    await enterPassword('set-up', ['totp', 'passkey'])
    expect(screen.getByText(/with their password, and a passkey or a code from an app\.$/)).toBeDefined()
    await press('Use a passkey instead')
    server.on('POST /auth/login/passkey/set-up', () => ok({ options: passkeyCreation }))
    server.on('POST /auth/login/passkey/set-up/confirm', () => loggedIn({ recoveryCodes: ['kr7tq2-m9wbhz'] }))
    passkeys.becomes('exists')
    await press('Add a passkey')
    expect(screen.getByRole('alert').textContent).toBe('This device or key already has a passkey for your account.')
    await press('Use an authenticator app instead')
    await press('Use a passkey instead')
    passkeys.becomes('done')
    await press('Add a passkey')
    expect(passkeys.asked.at(-1)?.publicKey?.rp?.id).toBe('portal.example')
    expect(screen.getByText('kr7tq2-m9wbhz')).toBeDefined()
    expect(localStorage.getItem('token')).toBe('token-1')
    await press('Continue')
    await clock.advance(1_000)
    expect(screen.getByText('At /admin/dashboard')).toBeDefined()
  })
})
