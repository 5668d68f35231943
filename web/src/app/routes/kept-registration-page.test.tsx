import { cleanup, screen } from '@testing-library/react'
import { wrongCode } from '@portal/contracts/auth/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clockTime } from '../../lib/date-format.ts'
import { endSession, startSession } from '../../lib/session.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { deferredAnswer, fakeServer, type FakeServer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { fakeClock } from '../../testing/fake-clock.ts'
import { LoginPage } from './login-page.tsx'
import { RegisterPage } from './register-page.tsx'

const minuteMs = 60_000

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  server = fakeServer()
  server.on('GET /api/universities', () => ({
    status: 200,
    body: [{ _id: '01930000-0000-7000-8000-000000000001', name: 'Hill University' }],
  }))
  server.on('POST /auth/register/initiate', () => ok({}))
  server.on('POST /auth/register/verify-otp', () => ok({}))
  server.on('POST /auth/register/resend-otp', () => ok({}))
  server.on('POST /auth/login', () => ok({ data: { user: aUser(), token: 'token-1' } }))
  clock = fakeClock()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const field = (label: string) => screen.getByLabelText(label)
const press = async (name: string) => {
  await clock.user.click(screen.getByRole('button', { name }))
  await clock.flush()
}
const open = async () => {
  renderPages({ '/register': <RegisterPage />, '/login': <LoginPage /> }, '/register')
  await clock.flush()
}
/** A reload takes what a tab has in memory and leaves its session storage. */
const reload = async () => {
  cleanup()
  await open()
}
const step = () => screen.getByText(/^Step \d of 3$/).textContent
const errorAt = (label: string) => {
  const note = field(label).getAttribute('aria-describedby')?.split(' ')[0] ?? ''
  return document.getElementById(note)?.textContent
}
const fillPasswords = async () => {
  await clock.fill(field('Password'), 'Secret#1x')
  await clock.fill(field('Confirm Password'), 'Secret#1x')
}
const toContact = async () => {
  await open()
  await clock.fill(field('Name'), 'Ananya Iyer')
  await clock.user.type(screen.getByRole('combobox', { name: /University Name/ }), 'hill{Enter}')
  await clock.advance(500)
  await fillPasswords()
  await press('Save')
}
const send = () => press('Send OTPs to Email & Phone')
const toCodes = async () => {
  await toContact()
  await clock.fill(field('Email'), 'ananya@example.com')
  await clock.fill(field('Mobile number'), '9876543210')
  await send()
}
const enterCode = async () => {
  await clock.fill(field('Email OTP'), '123456')
  await press('Verify')
}

describe('a registration whose page is reloaded', () => {
  it('asks for the codes again, with the countdown that was running, and leads to the login with the address filled in', async () => {
    await toCodes()
    await clock.advance(10_000)
    await reload()
    expect(step()).toBe('Step 3 of 3')
    expect(screen.getByText('ananya@example.com')).toBeDefined()
    expect(screen.getAllByText('in 20 s')).toHaveLength(2)
    await enterCode()
    expect(server.requestsTo('POST /auth/register/verify-otp').map(({ body }) => body)).toEqual([
      { email: 'ananya@example.com', mobileNumber: '9876543210', otpEmail: '123456', otpMobile: '' },
    ])
    expect(screen.getByText('Account created successfully! Please log in.')).toBeDefined()
    expect(server.requestsTo('POST /auth/login')).toEqual([])
    await clock.advance(1999)
    expect(step()).toBe('Step 3 of 3')
    await clock.advance(1)
    expect(field('Email')).toHaveProperty('value', 'ananya@example.com')
    expect(document.activeElement).toBe(field('Password'))
  })

  it('stores no password and no code', async () => {
    await toCodes()
    await clock.fill(field('Email OTP'), '123456')
    const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
    expect(stored).toContain('ananya@example.com')
    expect(stored).not.toMatch(/Secret#1x|123456/)
  })

  it('asks for the password again before it sends other codes', async () => {
    await toCodes()
    await reload()
    await press('edit phone')
    await clock.fill(field('Mobile number'), '9876543211')
    await send()
    expect(step()).toBe('Step 1 of 3')
    expect(errorAt('Password')).toBe('Please enter your password again.')
    expect(document.activeElement).toBe(field('Password'))
    expect(field('Name')).toHaveProperty('value', 'Ananya Iyer')
    expect(screen.getByRole('combobox', { name: /University Name/ })).toHaveProperty('value', 'Hill University')
    await fillPasswords()
    await press('Save')
    expect(field('Mobile number')).toHaveProperty('value', '9876543211')
    await send()
    expect(step()).toBe('Step 3 of 3')
    expect(server.requestsTo('POST /auth/register/initiate').at(-1)?.body).toMatchObject({
      password: 'Secret#1x',
      mobileNumber: '9876543211',
    })
  })

  it('returns to its codes from step 2, if nothing was changed there', async () => {
    await toCodes()
    await reload()
    await press('Back')
    expect(step()).toBe('Step 2 of 3')
    await send()
    expect(step()).toBe('Step 3 of 3')
    expect(server.requestsTo('POST /auth/register/initiate')).toHaveLength(1)
  })

  it('is not kept before its codes were sent', async () => {
    await toContact()
    await clock.fill(field('Email'), 'ananya@example.com')
    await reload()
    expect(step()).toBe('Step 1 of 3')
    expect(field('Name')).toHaveProperty('value', '')
  })

  it('is not kept again by what happens after the account was created', async () => {
    await toCodes()
    await clock.advance(30_000)
    const resent = deferredAnswer()
    server.on('POST /auth/register/resend-otp', resent.handler)
    await press('Resend Phone OTP')
    await enterCode()
    await clock.fill(field('Phone OTP'), '1')
    resent.release(ok({}))
    await clock.flush()
    expect(sessionStorage.getItem('kept_registration')).toBeNull()
    expect(screen.queryByText(/^OTP resent/)).toBeNull()
  })

  it('is kept for an hour after its codes were sent, however often it is reloaded', async () => {
    await toCodes()
    await clock.advance(50 * minuteMs)
    await reload()
    expect(step()).toBe('Step 3 of 3')
    await clock.advance(11 * minuteMs)
    await reload()
    expect(step()).toBe('Step 1 of 3')
  })

  it.each<[string, () => unknown]>([
    ['an hour has passed', () => clock.advance(61 * minuteMs)],
    ['another release kept another shape', () => sessionStorage.setItem('kept_registration', '{"at":1}')],
    ['the tab was closed', () => sessionStorage.clear()],
    [
      'someone logged in and out in another tab',
      () => {
        startSession({ user: aUser(), token: 'token-1' })
        endSession('logged-out')
      },
    ],
    ['the account was created', enterCode],
  ])('shows nothing of it if %s', async (_case, end) => {
    await toCodes()
    await end()
    await reload()
    expect(step()).toBe('Step 1 of 3')
    expect(field('Name')).toHaveProperty('value', '')
    expect(sessionStorage.getItem('kept_registration')).toBeNull()
  })

  it('is another one if a link leads to it', async () => {
    await toCodes()
    await clock.user.click(screen.getByRole('link', { name: 'Login' }))
    await clock.user.click(screen.getByRole('link', { name: 'Sign Up' }))
    await clock.flush()
    expect(step()).toBe('Step 1 of 3')
    await reload()
    expect(field('Name')).toHaveProperty('value', '')
  })
})

describe('a code of an earlier mail', () => {
  const newest = (at: Date) => `${wrongCode.message} Only the newest code works. It was sent at ${clockTime(at)}.`
  const reject = () => server.on('POST /auth/register/verify-otp', () => problem(400, 'invalid', wrongCode.message))

  it('is rejected with the time of the newest, also after a reload', async () => {
    reject()
    await toCodes()
    const first = new Date()
    await clock.advance(5 * minuteMs)
    await press('Resend Email OTP')
    const second = new Date()
    for (const page of ['as it was', 'reloaded']) {
      if (page === 'reloaded') await reload()
      await clock.fill(field('Phone OTP'), '654321')
      await enterCode()
      expect([page, errorAt('Email OTP')]).toEqual([page, newest(second)])
      expect([page, errorAt('Phone OTP')]).toEqual([page, newest(first)])
    }
  })

  it('is rejected with the time of the newest after Back and another sending', async () => {
    reject()
    await toCodes()
    await clock.advance(2 * minuteMs)
    await press('Back')
    await send()
    const second = new Date()
    await clock.advance(minuteMs)
    await enterCode()
    expect(errorAt('Email OTP')).toBe(newest(second))
  })

  it('says nothing of a newer one if all have expired', async () => {
    server.on('POST /auth/register/verify-otp', () =>
      problem(400, 'invalid', 'OTP has expired. Please request a new OTP.'),
    )
    await toCodes()
    await enterCode()
    expect(errorAt('Email OTP')).toBe('OTP has expired. Please request a new OTP.')
  })
})

describe('the reason why a request failed', () => {
  const tooMany = () => problem(429, 'too-many-requests', 'Too many OTPs requested.')
  /** Without the toast, which has gone. */
  const isAtForm = async () => {
    await clock.advance(10_000)
    expect(screen.queryByRole('alert')).toBeNull()
    return screen.queryByText('Too many OTPs requested.') !== null
  }

  it('stays at the form of step 2 until it is edited', async () => {
    server.on('POST /auth/register/initiate', tooMany)
    await toCodes()
    expect(screen.getByRole('alert').textContent).toContain('Too many OTPs requested.')
    expect(await isAtForm()).toBe(true)
    await clock.user.type(field('Mobile number'), '{Backspace}')
    expect(await isAtForm()).toBe(false)
  })

  it('stays at the form of step 3 until it is edited or the request is repeated', async () => {
    await toCodes()
    server.on('POST /auth/register/verify-otp', tooMany)
    server.on('POST /auth/register/resend-otp', tooMany)
    await enterCode()
    expect(await isAtForm()).toBe(true)
    await clock.user.click(field('Phone OTP'))
    await clock.user.paste('123456')
    expect(await isAtForm()).toBe(false)
    await clock.advance(30_000)
    await press('Resend Phone OTP')
    expect(await isAtForm()).toBe(true)
    server.on('POST /auth/register/resend-otp', () => ok({}))
    await press('Resend Phone OTP')
    expect(await isAtForm()).toBe(false)
  })
})
