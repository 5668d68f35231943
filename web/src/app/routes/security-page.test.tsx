import { screen, within } from '@testing-library/react'
import { passkeySchema, type SecondFactor } from '@portal/contracts/auth/second-factor'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeHandler } from '../../testing/fake-portal.ts'
import { fakePasskeys, passkeyCreation, passkeyRequest } from '../../testing/fake-passkeys.ts'
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
  vi.unstubAllGlobals()
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
const appCode = 'Code from your authenticator app'
/** While two-step verification is on. */
const enterPasswordAnd = async (code: string, title: string, submit: string, label = appCode) => {
  const dialog = within(await screen.findByRole('dialog', { name: title }))
  await app.user.type(dialog.getByLabelText(label), code)
  await enterPassword(title, submit)
}
const bodiesOf = (path: string) => app.requests.filter((request) => request.path === path).map(({ body }) => body)
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

  it('[X-47 X-48 X-50] makes new recovery codes, moves to another app, and is turned off, each after password and code', async () => {
    secondFactor = { ...on, recoveryCodesLeft: 1 }
    await open()
    expect(await screen.findByText(/^1 recovery code is left/)).toBeDefined()
    await press('Make new recovery codes')
    await enterPassword('Make new recovery codes?', 'Make new codes')
    expect(await screen.findByText('Please enter a code.')).toBeDefined()
    expect(bodiesOf('/user/second-factor/recovery-codes')).toEqual([])
    await app.user.type(screen.getByLabelText(appCode), '123 456')
    await press('Make new codes')
    expect(await screen.findByText('abcdef-ghjkmn')).toBeDefined()
    expect(bodiesOf('/user/second-factor/recovery-codes')).toEqual([{ password: 'Secret#1x', code: '123 456' }])
    await press('Done')
    await press('Use another app')
    expect(await screen.findByText('Confirm with the app that you have used so far.')).toBeDefined()
    await enterPasswordAnd('234567', 'Set up your authenticator app', 'Continue')
    await press('Cancel')
    await press('Turn off')
    await press('Use a recovery code')
    expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'))
    await enterPasswordAnd('kr7tq2-m9wbhz', 'Turn off two-step verification?', 'Turn off', 'Recovery code')
    expect(await screen.findByText('Two-step verification is off')).toBeDefined()
    await focusIsOnTitle()
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeDefined()
  })

  it('[X-50] says what is wrong with the code at its field', async () => {
    const used = 'This code was already used. Please wait for the next one.'
    secondFactor = on
    await open({
      'DELETE /user/second-factor': () => ({
        status: 400,
        body: { success: false, code: 'invalid', message: used, errors: { code: used } },
      }),
    })
    await press('Turn off')
    await enterPasswordAnd('123456', 'Turn off two-step verification?', 'Turn off')
    expect(await screen.findByText(used)).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText(appCode))
    await press('Use a recovery code')
    expect(screen.getByLabelText('Recovery code')).toHaveProperty('value', '')
    expect(screen.queryByText(used)).toBeNull()
  })

  it('[X-50] asks for the code when another tab has turned it on', async () => {
    const needed = 'Two-step verification is on. Please confirm with a code or a passkey, too.'
    await open({
      'POST /user/second-factor/totp': ({ body }) => {
        secondFactor = on
        return body !== undefined && 'code' in Object(body)
          ? ok({ secret: 'ABCDEFGH', uri: 'otpauth://totp/x' })
          : problem(403, 'second-factor-required', needed)
      },
    })
    await press('Turn on')
    await enterPassword('Set up your authenticator app', 'Continue')
    expect((await screen.findByRole('alert')).textContent).toBe(needed)
    await app.user.type(await screen.findByLabelText(appCode), '123456')
    await press('Continue')
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined()
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

const passkeyOf = (number: number, more = {}) =>
  passkeySchema.parse({
    id: `0199a7c0-0000-7000-8000-00000000000${number}`,
    label: 'Chrome on Android',
    addedAt: '2026-11-02T09:00:00.000Z',
    ...more,
  })
const possible: SecondFactor = { ...off, passkeys: [], canAddPasskeys: true }

describe('passkeys', () => {
  it('[X-49] are added with the password, and the first one shows the recovery codes once', async () => {
    const passkeys = fakePasskeys()
    secondFactor = possible
    const passkey = passkeyOf(1)
    await open({
      'POST /user/second-factor/passkeys/options': () => ok({ options: passkeyCreation }),
      'POST /user/second-factor/passkeys': becomes(
        { ...possible, passkeys: [passkey], recoveryCodesLeft: 10 },
        { message: 'Passkey added', passkey, recoveryCodes },
      ),
    })
    passkeys.becomes('canceled')
    await press('Add a passkey')
    await enterPassword('Add a passkey', 'Continue')
    expect(await screen.findByText('No passkey was added. Please try again.')).toBeDefined()
    passkeys.becomes('done')
    await press('Continue')
    expect(await screen.findByText('Passkey added')).toBeDefined()
    expect(app.requests.find(({ path }) => path === '/user/second-factor/passkeys')?.body).toEqual({
      credential: {
        id: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'Y2xpZW50', attestationObject: 'bWFkZQ', transports: ['internal'] },
      },
    })
    await until(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your recovery codes' })))
    expect(screen.getByText(/^Each logs you in once without your authenticator app or passkey\./)).toBeDefined()
    await press('Done')
    await focusIsOnTitle()
    expect(screen.getByText('Logging in takes your password and a passkey.')).toBeDefined()
    expect(screen.getByText('10 recovery codes are left. Each logs you in once without a passkey.')).toBeDefined()
    expect(within(screen.getByRole('list', { name: 'Passkeys' })).getByRole('listitem').textContent).toContain(
      'Added Nov 2, 2026 · Never used',
    )
  })

  it('[X-49] are no longer asked for when the dialog is canceled, and the fifth leaves the focus on the title', async () => {
    const passkeys = fakePasskeys()
    const four = { ...possible, recoveryCodesLeft: 8, passkeys: [1, 2, 3, 4].map((n) => passkeyOf(n)) }
    const fifth = passkeyOf(5)
    secondFactor = four
    await open({
      'POST /user/second-factor/passkeys/proof': () => ok({ options: passkeyRequest }),
      'POST /user/second-factor/passkeys/options': () => ok({ options: passkeyCreation }),
      'POST /user/second-factor/passkeys': becomes(
        { ...four, passkeys: [...four.passkeys, fifth] },
        { message: 'Passkey added', passkey: fifth, recoveryCodes: [] },
      ),
    })
    passkeys.becomes('open')
    await press('Add a passkey')
    await enterPassword('Add a passkey', 'Continue')
    await until(() => expect(passkeys.asked).toHaveLength(1))
    await press('Cancel')
    await until(() => expect(passkeys.asked[0]?.signal.aborted).toBe(true))
    passkeys.becomes('done')
    await press('Add a passkey')
    await enterPassword('Add a passkey', 'Continue')
    expect(await screen.findByText('You have 5 passkeys. Remove one to add another.')).toBeDefined()
    await focusIsOnTitle()
  })

  it('[X-49 X-50] that the browser did not make are asked for again, without another code', async () => {
    const passkeys = fakePasskeys()
    const passkey = passkeyOf(1)
    secondFactor = { ...on, passkeys: [], canAddPasskeys: true }
    await open({
      'POST /user/second-factor/passkeys/options': () => ok({ options: passkeyCreation }),
      'POST /user/second-factor/passkeys': becomes(
        { ...secondFactor, passkeys: [passkey] },
        { message: 'Passkey added', passkey, recoveryCodes: [] },
      ),
    })
    passkeys.becomes('canceled')
    await press('Add a passkey')
    await enterPasswordAnd('123456', 'Add a passkey', 'Continue')
    expect(await screen.findByText('No passkey was added. Please try again.')).toBeDefined()
    passkeys.becomes('done')
    await press('Continue')
    expect(await screen.findByText('Passkey added')).toBeDefined()
    expect(bodiesOf('/user/second-factor/passkeys/options')).toEqual([{ password: 'Secret#1x', code: '123456' }])
  })

  it('[X-50] confirm changes, or a code instead', async () => {
    const passkeys = fakePasskeys()
    const passkey = passkeyOf(1)
    secondFactor = { ...on, passkeys: [passkey], canAddPasskeys: true }
    await open({ 'POST /user/second-factor/passkeys/proof': () => ok({ options: passkeyRequest }) })
    passkeys.becomes('canceled')
    await press('Make new recovery codes')
    expect(screen.getByText('Your browser then asks for your passkey.')).toBeDefined()
    await enterPassword('Make new recovery codes?', 'Make new codes')
    expect(await screen.findByText('Your passkey was not used. Please try again.')).toBeDefined()
    passkeys.becomes('done')
    await press('Make new codes')
    await press('Done')
    expect(bodiesOf('/user/second-factor/recovery-codes')).toEqual([
      {
        password: 'Secret#1x',
        assertion: {
          id: 'AAAA',
          type: 'public-key',
          response: { clientDataJSON: 'Y2xpZW50', authenticatorData: 'ZGF0YQ', signature: 'c2lnbmVk' },
        },
      },
    ])
    await press('Turn off')
    await press('Use a code instead')
    expect(document.activeElement).toBe(screen.getByLabelText(appCode))
    await press('Use a passkey')
    expect(document.activeElement).toBe(screen.getByLabelText('Your password'))
    await press('Use a code instead')
    await enterPasswordAnd('123456', 'Turn off two-step verification?', 'Turn off')
    expect(await screen.findByText('Two-step verification is off')).toBeDefined()
  })

  it('[X-49] show when each was used, and are removed with the password', async () => {
    fakePasskeys()
    const [first, last] = [passkeyOf(1, { lastUsedOn: '2026-11-20' }), passkeyOf(2, { label: 'Safari on Mac' })]
    secondFactor = { ...possible, totp: true, recoveryCodesLeft: 8, passkeys: [first, last] }
    await open({
      'POST /user/second-factor/passkeys/proof': () => ok({ options: passkeyRequest }),
      [`DELETE /user/second-factor/passkeys/${first.id}`]: () => {
        secondFactor = { ...secondFactor, passkeys: [last] }
        return ok({ message: 'Passkey removed' })
      },
    })
    expect(await screen.findByText('Added Nov 2, 2026 · Last used Nov 20, 2026')).toBeDefined()
    expect(
      screen.getByText('Logging in takes your password and a passkey, or a code from your authenticator app.'),
    ).toBeDefined()
    await press('Remove Chrome on Android')
    expect(screen.getByText('You cannot log in with it any more.')).toBeDefined()
    await enterPassword('Remove the passkey of Chrome on Android?', 'Remove')
    expect(await screen.findByText('Passkey removed')).toBeDefined()
    await focusIsOnTitle()
    expect(screen.queryByText('Chrome on Android')).toBeNull()
    expect(screen.getByRole('button', { name: 'Remove Safari on Mac' })).toBeDefined()
  })

  it('[X-49] that another tab has removed disappear with the reason, and so does a button that has become useless', async () => {
    fakePasskeys()
    const [gone, ...others] = [1, 2, 3, 4, 5].map((n) => passkeyOf(n, { label: `Browser ${n}` }))
    secondFactor = { ...possible, recoveryCodesLeft: 8, passkeys: others }
    const full = 'You have 5 passkeys. Remove one to add another.'
    await open({
      'POST /user/second-factor/passkeys/proof': () => ok({ options: passkeyRequest }),
      [`DELETE /user/second-factor/passkeys/${others[0]?.id}`]: () => {
        secondFactor = { ...secondFactor, passkeys: others.slice(1) }
        return problem(404, 'not-found', 'There is no such passkey')
      },
      'POST /user/second-factor/passkeys/options': () => {
        secondFactor = { ...secondFactor, passkeys: [...others, ...(gone ? [gone] : [])] }
        return problem(409, 'conflict', full)
      },
    })
    await press('Remove Browser 2')
    await enterPassword('Remove the passkey of Browser 2?', 'Remove')
    expect(await screen.findByText('There is no such passkey')).toBeDefined()
    await focusIsOnTitle()
    expect(screen.queryByText('Browser 2')).toBeNull()
    await press('Add a passkey')
    await enterPassword('Add a passkey', 'Continue')
    expect(await screen.findByText(full)).toBeDefined()
    await focusIsOnTitle()
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
  })

  it('[X-49] say what the last one turns off, and leave earlier recovery codes as they are', async () => {
    fakePasskeys()
    secondFactor = { ...possible, recoveryCodesLeft: 8, passkeys: [passkeyOf(1)] }
    await open({
      'POST /user/second-factor/passkeys/proof': () => ok({ options: passkeyRequest }),
      'POST /user/second-factor/totp/confirm': becomes(
        { ...secondFactor, totp: true },
        { message: 'Two-step verification is on', recoveryCodes: [] },
      ),
    })
    await press('Remove Chrome on Android')
    expect(screen.getByText(/^Whoever knows your password can then log in\./)).toBeDefined()
    await press('Cancel')
    await press('Set up an app, too')
    await enterPassword('Set up your authenticator app', 'Continue')
    await app.user.type(await screen.findByLabelText('Code from your authenticator app'), '123456')
    await press('Turn on')
    await focusIsOnTitle()
    expect(screen.queryByRole('heading', { name: 'Your recovery codes' })).toBeNull()
    expect(await screen.findByRole('button', { name: 'Use another app' })).toBeDefined()
  })

  it('[X-49] are at most five, and not offered where they do not work', async () => {
    await open()
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Passkeys' })).toBeNull()
    await app.close()
    secondFactor = possible
    await open()
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
    await app.close()
    fakePasskeys()
    secondFactor = { ...possible, recoveryCodesLeft: 8, passkeys: [1, 2, 3, 4, 5].map((n) => passkeyOf(n)) }
    await open()
    expect(await screen.findByText('You have 5 passkeys. Remove one to add another.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
  })
})
