import { act, cleanup, screen, within } from '@testing-library/react'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession } from '../../lib/session.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { fakeServer, deferredAnswer, type FakeServer, type ServerAnswer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { fakeClock } from '../../testing/fake-clock.ts'
import { RegisterPage } from './register-page.tsx'

const universities = ['Hill University', 'Lakeside University'].map((name, n) => ({
  _id: `01930000-0000-7000-8000-00000000000${n}`,
  name,
}))

let server: FakeServer
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  localStorage.clear()
  endSession('logged-out')
  server = fakeServer()
  server.on('GET /api/universities', () => ({ status: 200, body: universities }))
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
const press = async (name: string | RegExp) => {
  await clock.user.click(screen.getByRole('button', { name }))
  await clock.flush()
}
const open = async () => {
  renderPages({ '/register': <RegisterPage /> }, '/register')
  await clock.flush()
}
const choose = async (university: string) => {
  await clock.user.click(screen.getByRole('combobox', { name: /University Name/ }))
  await clock.user.click(screen.getByRole('option', { name: university }))
  await clock.advance(500)
}

const toContact = async () => {
  await open()
  await clock.fill(field('Name'), ' Ananya Iyer ')
  await choose('Lakeside University')
  await clock.fill(field('Password'), 'Secret#1x')
  await clock.fill(field('Confirm Password'), 'Secret#1x')
  await press('Save')
}
const toCodes = async () => {
  await toContact()
  await clock.fill(field('Email'), 'Ananya@example.com')
  await clock.fill(field('Mobile number'), '98765 43210')
  await press('Send OTPs to Email & Phone')
}
const messages = () => {
  const region = screen.queryByRole('region', { name: 'Messages' })
  return [...(region?.children ?? [])].map(({ textContent }) => textContent)
}
const step = () => screen.getByText(/^Step \d of 3$/).textContent

describe('step 1, the account', () => {
  it('[R-2 R-16] links to login and programs, requires every field, and focuses the first invalid one', async () => {
    await open()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Create Account')
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login')
    expect(screen.getByRole('link', { name: 'See the programs' }).getAttribute('href')).toBe('/home')
    await press('Save')
    for (const label of ['Name', 'University Name', 'Password', 'Confirm Password']) {
      expect(screen.getByText(`${label} is required`)).toBeDefined()
    }
    expect(document.activeElement).toBe(field('Name'))
    await clock.user.type(field('Name'), 'A')
    expect(screen.queryByText('Name is required')).toBeNull()
    await press('Save')
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /University Name/ }))
    await choose('Hill University')
    expect(screen.queryByText('University Name is required')).toBeNull()
    expect(step()).toBe('Step 1 of 3')
  })

  it('[G-28 G-35 R-17] shows what the password lacks, and whether both match', async () => {
    await open()
    await clock.fill(field('Password'), 'secret#1x')
    await press('Save')
    expect(screen.getByText('Password must contain at least one uppercase letter')).toBeDefined()
    await clock.fill(field('Password'), 'Secret#1x')
    await clock.fill(field('Confirm Password'), 'Secret#1y')
    await press('Save')
    expect(screen.getByText('Passwords do not match')).toBeDefined()
    await clock.user.type(field('Password'), '2')
    expect(screen.queryByText('Passwords do not match')).toBeNull()
  })

  it('[R-4 R-17] ticks off the rules of the password while it is typed, sums them up afterwards, and shows and hides each separately', async () => {
    await open()
    const done = () => screen.queryAllByText('(done)').map((mark) => mark.parentElement?.firstChild?.textContent)
    await clock.fill(field('Password'), 'secret')
    expect(done()).toEqual(['A lowercase letter'])
    await clock.fill(field('Password'), 'Secret#')
    expect(done()).toEqual(['An uppercase letter', 'A lowercase letter', 'A special character'])
    expect(screen.queryByText(/^The password lacks/)).toBeNull()
    await clock.user.tab()
    await clock.user.tab()
    expect(screen.getByText('The password lacks: 8 characters, A digit.')).toBeDefined()
    await clock.fill(field('Password'), 'Secret#1')
    await clock.user.click(field('Name'))
    expect(screen.getByText('The password meets all rules.')).toBeDefined()

    const [first] = screen.getAllByRole('button', { name: 'Show password' })
    if (first) await clock.user.click(first)
    expect(field('Password').getAttribute('type')).toBe('text')
    expect(field('Confirm Password').getAttribute('type')).toBe('password')
  })

  it('[R-3] loads the universities again on request or when the network is back, finds one by its words, or says whom to ask', async () => {
    server.on('GET /api/universities', () => 'unreachable')
    await open()
    expect(screen.getByText(/Failed to load universities\. Please try again\./)).toBeDefined()
    await press('Try again')
    expect(server.requestsTo('GET /api/universities')).toHaveLength(2)
    server.on('GET /api/universities', () => ({ status: 200, body: universities }))
    act(() => void window.dispatchEvent(new Event('online')))
    await clock.flush()
    await clock.user.type(screen.getByRole('combobox', { name: /University Name/ }), 'university lake')
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Lakeside University'])
    expect(screen.getByRole('link', { name: 'Not listed? Write to us' }).getAttribute('href')).toMatch(
      /^mailto:minor@example\.org/,
    )
    await clock.user.keyboard('{Enter}')
    expect(screen.getByRole('combobox', { name: /University Name/ })).toHaveProperty('value', 'Lakeside University')
  })
})

describe('step 2, email and phone', () => {
  it('[G-32 G-33 R-5 R-18] requires a valid email and phone number, never cuts a number to another one, and keeps the values on Back', async () => {
    await toContact()
    expect(step()).toBe('Step 2 of 3')
    expect(document.activeElement).toBe(field('Email'))
    await press('Send OTPs to Email & Phone')
    expect(screen.getByText('Email is required')).toBeDefined()
    expect(screen.getByText('Mobile number is required')).toBeDefined()
    await clock.fill(field('Email'), 'ananya@example')
    await clock.user.type(field('Mobile number'), '987 65')
    expect(field('Mobile number')).toHaveProperty('value', '98765')
    await press('Send OTPs to Email & Phone')
    expect(screen.getByText('Please enter a valid email address')).toBeDefined()
    expect(screen.getByText('Mobile number must be exactly 10 digits')).toBeDefined()
    for (const [typed, kept] of [
      ['98765 432101', '98765432101'],
      ['+91 98765 432101', '+9198765432101'],
      ['+971 50 123 4567', '+971501234567'],
      ['O98765 43210', 'O98765 43210'],
    ] as const) {
      await clock.fill(field('Mobile number'), typed)
      expect(field('Mobile number')).toHaveProperty('value', kept)
      await press('Send OTPs to Email & Phone')
      expect(screen.getByText('Mobile number must be exactly 10 digits')).toBeDefined()
    }
    await clock.fill(field('Mobile number'), '+91 98765 43210')
    expect(field('Mobile number')).toHaveProperty('value', '9876543210')
    expect(server.requestsTo('POST /auth/register/initiate')).toEqual([])

    await press('Back')
    expect(field('Name')).toHaveProperty('value', 'Ananya Iyer')
    expect(field('Password')).toHaveProperty('value', 'Secret#1x')
    await press('Save')
    expect(field('Mobile number')).toHaveProperty('value', '9876543210')
  })

  it('[G-60] links to terms and privacy policy, which open beside it, so that nothing typed is lost', async () => {
    await toContact()
    expect(screen.getByText(/^By creating an account you agree to the/)).toBeDefined()
    expect(screen.getByText(/^We keep your details to run your programs and to reach you/)).toBeDefined()
    for (const [name, path] of [
      ['terms (in a new tab)', '/terms'],
      ['privacy policy (in a new tab)', '/privacy'],
    ] as const) {
      const link = screen.getByRole('link', { name })
      expect(['href', 'target', 'rel'].map((attribute) => link.getAttribute(attribute))).toEqual([
        path,
        '_blank',
        'noopener',
      ])
    }
  })

  it('[R-10 R-11 R-20 R-24] sends the entered details', async () => {
    await toCodes()
    expect(server.requestsTo('POST /auth/register/initiate').map(({ body }) => body)).toEqual([
      {
        fullName: 'Ananya Iyer',
        universityName: 'Lakeside University',
        password: 'Secret#1x',
        personalEmail: 'ananya@example.com',
        mobileNumber: '9876543210',
      },
    ])
    expect(screen.getByText('OTPs sent successfully to your email and phone!')).toBeDefined()
    expect(step()).toBe('Step 3 of 3')
  })

  it("[R-11 R-23] stays if sending fails, and shows the server's message about a field at that field", async () => {
    const failures: readonly (readonly [ServerAnswer, string])[] = [
      [problem(429, 'too-many-requests', 'Please wait an hour'), 'Please wait an hour'],
      [problem(500, 'internal', ''), 'Failed to send OTPs. Please try again.'],
      ['unreachable', networkErrorMessage],
    ]
    server.on('POST /auth/register/initiate', () => 'unreachable')
    await toCodes()
    for (const [answer, message] of failures) {
      server.on('POST /auth/register/initiate', () => answer)
      await press('Send OTPs to Email & Phone')
      // The messages replace each other.
      expect(messages()).toEqual([message])
      expect(screen.getByRole('alert').textContent).toContain(message)
      expect(step()).toBe('Step 2 of 3')
      expect(field('Email')).toHaveProperty('value', 'Ananya@example.com')
    }
    const rejection = problem(400, 'invalid', 'Please enter a valid email address')
    const errors = { personalEmail: 'This address is not accepted' }
    server.on('POST /auth/register/initiate', () => ({ ...rejection, body: { ...Object(rejection.body), errors } }))
    await press('Send OTPs to Email & Phone')
    expect(screen.getByText('This address is not accepted')).toBeDefined()
    expect(messages()).toEqual([])
    expect(document.activeElement).toBe(field('Email'))
  })

  it('says at the email field that it has an account, and leads to the login', async () => {
    server.on('POST /auth/register/initiate', () => problem(409, 'conflict', ''))
    await toCodes()
    const note = () => document.getElementById(field('Email').getAttribute('aria-describedby') ?? '')?.textContent
    expect(note()).toBe('An account with this email already exists. Please log in. Log in')
    server.on('POST /auth/register/initiate', () => problem(409, 'conflict', 'This email is already registered'))
    await press('Send OTPs to Email & Phone')
    expect(note()).toBe('This email is already registered Log in')
    expect([field('Email').getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field('Email')])
    expect(messages()).toEqual([])
    await clock.user.click(screen.getByRole('link', { name: 'Log in' }))
    expect(screen.getByText('At /login')).toBeDefined()
  })
})

it('an error of the server about step 1 is shown at its field there', async () => {
  await toContact()
  await clock.fill(field('Email'), 'ananya@example.com')
  await clock.fill(field('Mobile number'), '98765 43210')
  for (const [name, label, message] of [
    ['password', 'Password', 'This password is too common'],
    ['fullName', 'Name', 'This name is not accepted'],
  ] as const) {
    const rejection = problem(400, 'invalid', message)
    const errors = { [name]: message }
    server.on('POST /auth/register/initiate', () => ({ ...rejection, body: { ...Object(rejection.body), errors } }))
    await press('Send OTPs to Email & Phone')
    expect(step()).toBe('Step 1 of 3')
    expect(document.activeElement).toBe(field(label))
    const note = field(label).getAttribute('aria-describedby')?.split(' ')[0] ?? ''
    expect(document.getElementById(note)?.textContent).toBe(message)
    await clock.fill(field(label), 'Xavier#1x')
    if (label === 'Password') await clock.fill(field('Confirm Password'), 'Xavier#1x')
    await press('Save')
    expect(step()).toBe('Step 2 of 3')
    expect(field('Mobile number')).toHaveProperty('value', '9876543210')
  }
})

describe('step 3, the codes', () => {
  it('[G-36 G-37 R-6 R-19] requires at least one code, with six digits each, autofilled by SMS for the phone only, or pasted', async () => {
    await toCodes()
    expect(document.activeElement).toBe(field('Email OTP'))
    await press('Verify')
    expect(screen.getByText('Please enter at least one OTP (email or phone)')).toBeDefined()
    await clock.user.type(field('Phone OTP'), '12a3')
    expect(field('Phone OTP')).toHaveProperty('value', '123')
    expect(screen.queryByText('Please enter at least one OTP (email or phone)')).toBeNull()
    await press('Verify')
    expect(screen.getByText('OTP must be exactly 6 digits')).toBeDefined()
    expect(document.activeElement).toBe(field('Phone OTP'))
    expect(server.requestsTo('POST /auth/register/verify-otp')).toEqual([])
    expect(field('Phone OTP').getAttribute('autocomplete')).toBe('one-time-code')
    expect(field('Email OTP').getAttribute('autocomplete')).toBe('off')
    await clock.user.click(field('Email OTP'))
    await clock.user.paste('Your code: 123 456.')
    expect(field('Email OTP')).toHaveProperty('value', '123456')
  })

  it("[R-7 R-9 R-12 R-13] returns to step 2 by 'edit' or Back, keeps the typed values, and goes from there to step 1", async () => {
    await toCodes()
    await clock.fill(field('Email OTP'), '123456')
    await press('edit phone')
    expect(step()).toBe('Step 2 of 3')
    expect(document.activeElement).toBe(field('Mobile number'))
    expect(field('Email')).toHaveProperty('value', 'ananya@example.com')
    await press('Send OTPs to Email & Phone')
    await press('edit email')
    expect(document.activeElement).toBe(field('Email'))
    await press('Send OTPs to Email & Phone')
    await press('Back')
    expect(step()).toBe('Step 2 of 3')
    await press('Back')
    expect(step()).toBe('Step 1 of 3')
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull()
  })

  it('continues with the codes sent before and their countdown if it is too early for new ones', async () => {
    await toCodes()
    await clock.advance(5_000)
    await press('edit email')
    const rejection = problem(429, 'too-many-requests', 'Please wait 25 seconds')
    server.on('POST /auth/register/initiate', () => ({
      ...rejection,
      body: { ...Object(rejection.body), retryAfterSeconds: 25 },
    }))
    await press('Send OTPs to Email & Phone')
    expect(screen.queryByText('Please wait 25 seconds')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(step()).toBe('Step 3 of 3')
    expect(screen.getAllByText('in 25 s')).toHaveLength(2)
    await press('edit email')
    await clock.fill(field('Email'), 'other@example.com')
    await press('Send OTPs to Email & Phone')
    expect(screen.getByRole('alert').textContent).toContain('Please wait 25 seconds')
    expect(step()).toBe('Step 2 of 3')
  })

  it('[R-8 R-22 R-27 R-28 R-29] resends each code separately, only after 30 seconds or as long as the server demands, and shows an error', async () => {
    await toCodes()
    const emailAgain = screen.getByRole('button', { name: 'Resend Email OTP' })
    expect(emailAgain.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getAllByText('in 30 s')).toHaveLength(2)
    await clock.user.click(emailAgain)
    await clock.advance(29_000)
    expect(screen.getAllByText('in 1 s')).toHaveLength(2)
    await clock.user.click(emailAgain)
    expect(server.requestsTo('POST /auth/register/resend-otp')).toEqual([])
    await clock.advance(1000)
    expect(screen.queryByText(/^in \d+ s$/)).toBeNull()

    await press('Resend Email OTP')
    expect(screen.getByText('OTP resent successfully to your email!')).toBeDefined()
    expect(screen.getByText('in 30 s')).toBeDefined()
    await press('Resend Phone OTP')
    expect(screen.getByText('OTP resent successfully to your mobile!')).toBeDefined()
    const contact = { email: 'ananya@example.com', mobileNumber: '9876543210' }
    expect(server.requestsTo('POST /auth/register/resend-otp').map(({ body }) => body)).toEqual([
      { ...contact, type: 'email' },
      { ...contact, type: 'mobile' },
    ])

    const rejection = problem(429, 'too-many-requests', 'Please wait')
    server.on('POST /auth/register/resend-otp', () => ({
      ...rejection,
      body: { ...Object(rejection.body), retryAfterSeconds: 12 },
    }))
    await clock.advance(30_000)
    await press('Resend Email OTP')
    expect(screen.getByRole('alert').textContent).toContain('Please wait')
    expect(screen.getByText('in 12 s')).toBeDefined()

    server.on('POST /auth/register/resend-otp', () => problem(503, 'unavailable', ''))
    await clock.advance(30_000)
    await press('Resend Phone OTP')
    expect(screen.getByRole('alert').textContent).toContain('Failed to resend OTP. Please try again.')
  })

  it('[F6] says that codes may still arrive if the server does not know, and asks for them', async () => {
    const message = 'Your OTPs may still arrive. If they do not within a minute, ask for new ones.'
    const unconfirmed = () => ok({ message, isUnconfirmed: true })
    server.on('POST /auth/register/initiate', unconfirmed)
    server.on('POST /auth/register/resend-otp', unconfirmed)
    await toCodes()
    expect(screen.getByText(message)).toBeDefined()
    expect(screen.queryByText(/successfully/)).toBeNull()
    await clock.advance(30_000)
    await press('Resend Email OTP')
    expect(screen.getByText(message)).toBeDefined()
    expect(screen.queryByText(/successfully/)).toBeNull()
  })
})

it('says that the code went out by mail only, if the server could send no SMS', async () => {
  const message = 'OTP sent successfully to your email! Enter that one, because no SMS could be sent.'
  server.on('POST /auth/register/initiate', () => ok({ message, isByEmailOnly: true }))
  await toCodes()
  expect(screen.getByText(message)).toBeDefined()
  expect(screen.queryByText('OTPs sent successfully to your email and phone!')).toBeNull()
})

describe('the end of a registration', () => {
  const verify = async () => {
    await toCodes()
    await clock.fill(field('Email OTP'), '123456')
    await press('Verify')
  }

  it('[R-1 R-14 R-21 R-26] creates the account, logs in and redirects to /home after 2 seconds', async () => {
    const held = deferredAnswer()
    server.on('POST /auth/register/verify-otp', held.handler)
    await verify()
    expect(screen.getByRole('button', { name: 'Verifying...' })).toBeDefined()
    held.release(ok({}))
    await clock.flush()
    expect(screen.getByText('Account created successfully! Redirecting to home page...')).toBeDefined()
    expect(server.requestsTo('POST /auth/register/verify-otp').map(({ body }) => body)).toEqual([
      { email: 'ananya@example.com', mobileNumber: '9876543210', otpEmail: '123456', otpMobile: '' },
    ])
    expect(localStorage.getItem('isLoggedIn')).toBe('true')
    expect(localStorage.getItem('token')).toBe('token-1')
    await clock.advance(1999)
    expect(screen.queryByText('At /home')).toBeNull()
    await clock.advance(1)
    expect(screen.getByText('At /home')).toBeDefined()
  })

  it.each<[string, ServerAnswer]>([
    ['is rejected', problem(401, 'unauthenticated', 'Invalid credentials')],
    ['does not get through', 'unreachable'],
  ])('[R-15] redirects to the login page after 2 seconds if the login %s', async (_case, answer) => {
    server.on('POST /auth/login', () => answer)
    await verify()
    expect(screen.getByText('Account created successfully! Redirecting to home page...')).toBeDefined()
    await clock.advance(1999)
    expect(screen.queryByText('At /login')).toBeNull()
    await clock.advance(1)
    expect(screen.getByText('At /login')).toBeDefined()
    expect(localStorage.getItem('isLoggedIn')).toBeNull()
  })

  it('[R-25] stays if the codes are rejected', async () => {
    const failures: readonly (readonly [ServerAnswer, string])[] = [
      [problem(404, 'not-found', 'Please start again.'), 'Please start again.'],
      [problem(429, 'too-many-requests', ''), 'OTP verification failed. Please try again.'],
      [problem(500, 'internal', ''), 'Failed to verify OTPs. Please try again.'],
      ['unreachable', networkErrorMessage],
    ]
    await toCodes()
    await clock.fill(field('Email OTP'), '123456')
    for (const [answer, message] of failures) {
      server.on('POST /auth/register/verify-otp', () => answer)
      await press('Verify')
      expect(within(screen.getByRole('region', { name: 'Messages' })).getByRole('alert').textContent).toContain(message)
      expect(field('Email OTP')).toHaveProperty('value', '123456')
      await clock.advance(5000)
      expect(step()).toBe('Step 3 of 3')
    }
  })

  it('marks a wrong code until it is edited: the one that was given, or both', async () => {
    server.on('POST /auth/register/verify-otp', () => problem(400, 'invalid', 'The code is wrong'))
    await toCodes()
    const marked = () =>
      ['Email OTP', 'Phone OTP'].filter((label) => field(label).getAttribute('aria-invalid') === 'true')
    for (const given of [['Phone OTP'], ['Email OTP', 'Phone OTP']]) {
      for (const label of given) await clock.fill(field(label), '123456')
      await press('Verify')
      expect(marked()).toEqual(given)
      expect(screen.getAllByText('The code is wrong')).toHaveLength(given.length)
      expect(messages()).toEqual([])
      expect(document.activeElement).toBe(field(given[0] ?? ''))
      await clock.user.type(field(given[0] ?? ''), '{Backspace}')
      expect(marked()).toEqual([])
    }
  })
})
