import { screen, within } from '@testing-library/react'
import type { SecondFactor } from '@portal/contracts/auth/second-factor'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'

const recoveryCodes = ['kr7tq2-m9wbhz', 'abcdef-ghjkmn']
const off: SecondFactor = { totp: false, recoveryCodesLeft: 0, isRequired: false }
const on: SecondFactor = { totp: true, recoveryCodesLeft: 10, isRequired: false }

let app: OpenApp
let secondFactor: SecondFactor
beforeEach(() => {
  secondFactor = off
})
afterEach(() => {
  vi.restoreAllMocks()
  return app.close()
})

const becomes =
  (state: SecondFactor, answer: object): FakeHandler =>
  () => {
    secondFactor = state
    return ok(answer)
  }
const open = async (answers: Record<string, FakeHandler> = {}, role: 'student' | 'admin' = 'student') => {
  app = await openApp({
    path: '/profile/security',
    user: aUser({ role }),
    answers: {
      'GET /user/second-factor': () => ok({ secondFactor }),
      'POST /user/second-factor/totp': () => ok({ secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' }),
      'POST /user/second-factor/totp/confirm': becomes(on, { message: 'Two-step verification is on', recoveryCodes }),
      'POST /user/second-factor/recovery-codes': () => ok({ message: 'New recovery codes made', recoveryCodes }),
      'DELETE /user/second-factor': becomes(off, { message: 'Two-step verification is off' }),
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Two-step verification' })
}
const press = async (name: string, scope: { findByRole: typeof screen.findByRole } = screen) =>
  app.user.click(await scope.findByRole('button', { name }))
const enterPassword = async (title: string, submit: string) => {
  const dialog = within(await screen.findByRole('dialog', { name: title }))
  await app.user.type(dialog.getByLabelText('Your password'), 'Secret#1x')
  await press(submit, dialog)
}
const focusIsOnTitle = () => until(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))

describe('two-step verification', () => {
  it('[X-46 X-47] is turned on with the password, an app and its code, and shows the recovery codes once', async () => {
    await open()
    await press('Turn on')
    await enterPassword('Set up your authenticator app', 'Continue')
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined()
    expect(screen.getByText('ABCD EFGH')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href')).toMatch(/^otpauth:/)
    await app.user.type(screen.getByLabelText('Code from your authenticator app'), '123456')
    await press('Turn on')
    expect(await screen.findByText('Two-step verification is on')).toBeDefined()
    expect(app.requests.find(({ path }) => path === '/user/second-factor/totp')?.body).toEqual({
      password: 'Secret#1x',
    })
    await until(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your recovery codes' })))
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
    await press('Copy')
    expect(await screen.findByText('Recovery codes copied')).toBeDefined()
    expect(copied).toHaveBeenCalledWith('kr7tq2-m9wbhz\nabcdef-ghjkmn')
    const files = vi.spyOn(URL, 'createObjectURL')
    await press('Download')
    expect(await new Response(files.mock.calls[0]?.[0] as Blob).text()).toContain('kr7tq2-m9wbhz\nabcdef-ghjkmn\n')
    await press('Done')
    await focusIsOnTitle()
    expect(screen.queryByText('kr7tq2-m9wbhz')).toBeNull()
    expect(screen.getByText('10 recovery codes are left. Each logs you in once without the app.')).toBeDefined()
  })

  it('[X-46] can be canceled before the code, and says what is wrong with password or code', async () => {
    const wrong = {
      status: 400,
      body: {
        success: false,
        code: 'invalid',
        message: 'wrong',
        errors: { password: 'Your current password is incorrect' },
      },
    }
    let answer = wrong
    await open({
      'POST /user/second-factor/totp': () => answer,
      'POST /user/second-factor/totp/confirm': () =>
        problem(409, 'conflict', 'This set-up has expired. Please start again.'),
    })
    await press('Turn on')
    await enterPassword('Set up your authenticator app', 'Continue')
    expect(await screen.findByText('Your current password is incorrect')).toBeDefined()
    answer = { status: 200, body: { success: true, secret: 'ABCDEFGH', uri: 'otpauth://totp/x' } } as never
    await press('Continue')
    await app.user.type(await screen.findByLabelText('Code from your authenticator app'), '123456')
    await press('Turn on')
    expect(await screen.findByText('This set-up has expired. Please start again.')).toBeDefined()
    await press('Cancel')
    await focusIsOnTitle()
    expect(screen.getByRole('button', { name: 'Turn on' })).toBeDefined()
  })

  it('[X-47 X-48] makes new recovery codes, moves to another app, and is turned off, each after the password', async () => {
    secondFactor = { ...on, recoveryCodesLeft: 1 }
    await open()
    expect(await screen.findByText(/^1 recovery code is left/)).toBeDefined()
    await press('Make new recovery codes')
    await enterPassword('Make new recovery codes?', 'Make new codes')
    expect(await screen.findByText('abcdef-ghjkmn')).toBeDefined()
    await press('Done')
    await press('Use another app')
    await enterPassword('Set up your authenticator app', 'Continue')
    await press('Cancel')
    await press('Turn off')
    await enterPassword('Turn off two-step verification?', 'Turn off')
    expect(await screen.findByText('Two-step verification is off')).toBeDefined()
    await focusIsOnTitle()
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeDefined()
  })

  it('[X-48] cannot be turned off by an admin who needs it, on the admin’s own page', async () => {
    secondFactor = { ...on, isRequired: true }
    await open({}, 'admin')
    expect(window.location.pathname).toBe('/admin/profile/security')
    expect(await screen.findByText('Admins of this portal cannot turn it off.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull()
    await app.user.click(screen.getByRole('link', { name: 'Back to your profile' }))
    await app.user.click(await screen.findByRole('link', { name: 'Two-step verification' }))
    expect(window.location.pathname).toBe('/admin/profile/security')
  })

  it('is loaded again on request after a failure', async () => {
    let answer = problem(503, 'unavailable', 'Please try again later')
    await open({ 'GET /user/second-factor': () => answer })
    expect(await screen.findByText('Two-step verification could not be loaded.')).toBeDefined()
    answer = ok({ secondFactor })
    await press('Try again')
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeDefined()
  })
})
