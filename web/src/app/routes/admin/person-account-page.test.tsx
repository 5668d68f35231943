import { screen, within } from '@testing-library/react'
import type { Person } from '@portal/contracts/auth/accounts'
import { lastAdmin, numberOfAnother } from '@portal/contracts/auth/account-errors'
import { wrongPassword } from '@portal/contracts/auth/errors'
import { openSessionSchema } from '@portal/contracts/auth/sessions'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aUser, ok, problem, type FakeAnswer, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { until } from '../../../testing/until.ts'
import { exactTime } from '../../../ui/time.tsx'

const id = userIdSchema.parse('01890000-0000-7000-8000-000000000042')
const at = '2026-11-20T03:35:00.000Z'

let app: OpenApp
let person: Person
let isErased: boolean

beforeEach(() => {
  isErased = false
  person = {
    ...aUser({ _id: id, fullName: 'Asha Rao', personalEmail: 'asha@example.com' }),
    emailVerified: true,
    state: 'active',
    registeredAt: at,
    history: [
      { at, what: 'role-changed', by: 'Meera Nair', role: 'student' },
      { at, what: 'registered', by: 'Asha Rao' },
    ],
  }
})
afterEach(() => app.close())

const notFound = problem(404, 'not-found', 'There is no such person')
const refusedAt = (error: { readonly message: string }, field: string): FakeAnswer => ({
  status: 400,
  body: { success: false, code: 'invalid', message: error.message, errors: { [field]: error.message } },
})

const open = async (answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path: `/admin/people/${id}`,
    user: aUser({ role: 'admin', personalEmail: 'meera@example.com' }),
    answers: {
      'GET /notifications/people/:id': () =>
        isErased ? notFound : ok({ person: { ...person, userId: id }, deliveries: [] }),
      'GET /admin/people/:id': () => (isErased ? notFound : ok({ person })),
      'GET /api/universities': () => ({ status: 200, body: [{ _id: id, name: 'Dale University' }] }),
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 2, name: 'Account' })
}
const sent = () => app.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)
const press = async (name: string) => app.user.click(await screen.findByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))
const pressInDialog = async (name: string) => app.user.click((await dialog()).getByRole('button', { name }))
const enter = async (label: string, text: string) => app.fill((await dialog()).getByLabelText(label), text)
const dialogIsClosed = () => until(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('the account of a person', () => {
  it('[U-20] has state and registration, and what was done by whom', async () => {
    person = { ...person, history: [{ at, what: 'deactivated', by: 'Meera Nair', reason: 'Left' }, ...person.history] }
    await open()
    const facts = within(screen.getByRole('region', { name: 'Account' }))
    expect(facts.getByText('Active')).toBeDefined()
    expect(facts.getByText('Nov 20, 2026')).toBeDefined()
    const done = within(screen.getByRole('region', { name: 'What was done' })).getAllByRole('listitem')
    expect(done.map(({ textContent }) => textContent)).toEqual([
      `Deactivated: Left${exactTime(at)} by Meera Nair`,
      `Role changed to Student${exactTime(at)} by Meera Nair`,
      `Registered${exactTime(at)} by Asha Rao`,
    ])
  })

  it('[U-21] is corrected in what differs, with refusals at the field', async () => {
    let answer = refusedAt(numberOfAnother, 'mobileNumber')
    await open({
      'PUT /admin/people/:id': ({ body }) => {
        if (answer.status === 200) person = { ...person, ...(body as object) }
        return answer
      },
    })
    await press('Correct')
    await pressInDialog('Save')
    await dialogIsClosed()
    expect(sent()).toEqual([])
    await press('Correct')
    await enter('Mobile number', '12')
    await pressInDialog('Save')
    expect(await screen.findByText('Mobile number must be exactly 10 digits')).toBeDefined()
    await enter('Mobile number', '+91 90000 11111')
    await pressInDialog('Save')
    expect(await screen.findByText(numberOfAnother.message)).toBeDefined()
    answer = ok({ message: 'Profile corrected' })
    await pressInDialog('Save')
    await dialogIsClosed()
    expect(sent().at(-1)).toEqual({ mobileNumber: '9000011111' })
    expect(await screen.findByText('9000011111')).toBeDefined()
    await press('Correct')
    const university = await screen.findByRole('combobox', { name: 'University' })
    await until(() => expect(university.hasAttribute('disabled')).toBe(false))
    await app.user.type(university, 'Dale')
    await app.user.click(await screen.findByRole('option', { name: 'Dale University' }))
    await pressInDialog('Save')
    await dialogIsClosed()
    expect(sent().at(-1)).toEqual({ universityName: 'Dale University' })
    expect(await screen.findByText('Dale University')).toBeDefined()
  })

  it('[U-21] gets another role with the own password, unless it is the last admin', async () => {
    person = { ...person, role: 'admin' }
    let answer = refusedAt(wrongPassword, 'password')
    await open({ 'PUT /admin/people/:id/role': () => answer })
    await press('Change role')
    await pressInDialog('Change role')
    expect(await screen.findByText('Please choose a role')).toBeDefined()
    await app.user.click((await dialog()).getByRole('combobox', { name: 'New role' }))
    await app.user.click(await screen.findByRole('option', { name: 'Faculty' }))
    expect(await screen.findByText('Please enter your current password.')).toBeDefined()
    await enter('Your own password', 'Wrong-2026')
    await pressInDialog('Change role')
    expect(await screen.findByText(wrongPassword.message)).toBeDefined()
    answer = problem(409, 'conflict', lastAdmin.message)
    await pressInDialog('Change role')
    expect((await screen.findByText(lastAdmin.message)).getAttribute('role')).toBe('alert')
    answer = ok({ message: 'Now faculty' })
    person = { ...person, role: 'faculty' }
    await pressInDialog('Change role')
    expect(await screen.findByText('Now faculty')).toBeDefined()
    expect(sent().at(-1)).toEqual({ role: 'faculty', password: 'Wrong-2026' })
    expect(await screen.findByText('Faculty')).toBeDefined()
  })

  it('loses its second step with the own password', async () => {
    person = { ...person, hasSecondFactor: true }
    await open({
      'POST /admin/people/:id/second-factor/reset': () => {
        person = { ...person, hasSecondFactor: false, history: [{ at, what: 'second-factor-reset' }] }
        return ok({ message: 'Two-step verification turned off' })
      },
    })
    await press('Turn off two-step verification')
    await pressInDialog('Turn off')
    expect(await screen.findByText('Please enter your current password.')).toBeDefined()
    await enter('Your own password', 'Banyan-2026')
    await pressInDialog('Turn off')
    await dialogIsClosed()
    expect(sent()).toEqual([{ password: 'Banyan-2026' }])
    await until(() => expect(screen.queryByRole('button', { name: 'Turn off two-step verification' })).toBeNull())
  })

  it('[X-51] has the language of notifications, if one was chosen', async () => {
    person = { ...person, notificationLanguage: 'hi' }
    await open()
    expect(await screen.findByText('हिन्दी')).toBeDefined()
  })

  it('keeps its second step if it is an admin', async () => {
    person = { ...person, role: 'admin', hasSecondFactor: true }
    await open()
    expect(screen.getByText('Two-step verification')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Turn off two-step verification' })).toBeNull()
  })

  it('[U-29] is signed out of all devices with the own password', async () => {
    const phone = { device: 'Chrome on Android', startedAt: at, usedAt: '2026-11-21T03:35:00.000Z' }
    const sessionId = openSessionSchema.shape.id.parse('01890000-0000-7000-8000-000000000099')
    person = { ...person, sessions: [{ id: sessionId, ...phone }] }
    await open({
      'DELETE /admin/people/:id/sessions': () => {
        person = { ...person, sessions: [] }
        return ok({ message: 'Signed out of all devices' })
      },
    })
    const sessions = within(screen.getByRole('region', { name: 'Signed in' }))
    expect(sessions.getByRole('listitem').textContent).toBe(
      `Chrome on AndroidSigned in ${exactTime(at)} · Last used ${exactTime(phone.usedAt)}`,
    )
    await press('Sign out of all devices')
    await pressInDialog('Sign out')
    expect(await screen.findByText('Please enter your current password.')).toBeDefined()
    await enter('Your own password', 'Banyan-2026')
    await pressInDialog('Sign out')
    expect(await screen.findByText('Signed in nowhere.')).toBeDefined()
    expect(sent()).toEqual([{ password: 'Banyan-2026' }])
    await until(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sign out of all devices' })),
    )
  })

  it('[U-29] is not signed out by its own admin', async () => {
    person = {
      ...person,
      ...aUser({ role: 'admin', personalEmail: 'meera@example.com' }),
      _id: aUser()._id,
      sessions: [],
    }
    await open()
    expect(screen.getByText('Signed in nowhere.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Sign out of all devices' })).toBeNull()
  })

  it('[U-22] is deactivated with a reason, which the page shows first, and reactivated', async () => {
    await open({
      'POST /admin/people/:id/deactivate': ({ body }) => {
        const { reason } = body as { reason: string }
        person = { ...person, state: 'deactivated', deactivationReason: reason }
        return ok({ message: 'Account deactivated' })
      },
      'POST /admin/people/:id/reactivate': () => {
        const { deactivationReason: _reason, ...active } = person
        person = { ...active, state: 'active' }
        return ok({ message: 'Account reactivated' })
      },
    })
    await press('Deactivate')
    await app.user.keyboard('{Enter}')
    expect(await screen.findByText('Reason is required')).toBeDefined()
    await app.user.keyboard('Left the center{Enter}')
    expect(await screen.findByText('This account is deactivated: Left the center')).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Send a notification' })).toBeNull()
    expect(sent()).toEqual([{ reason: 'Left the center' }])
    await press('Reactivate')
    expect(await screen.findByText('Active')).toBeDefined()
    expect(screen.queryByText(/is deactivated/)).toBeNull()
  })

  it('[U-22] of an admin is deactivated with the own password', async () => {
    person = { ...person, role: 'admin' }
    await open({ 'POST /admin/people/:id/deactivate': () => ok({ message: 'Account deactivated' }) })
    await press('Deactivate')
    await enter('Reason', 'Left')
    await pressInDialog('Deactivate')
    expect(await screen.findByText('Please enter your current password.')).toBeDefined()
    await enter('Your own password', 'Banyan-2026')
    await pressInDialog('Deactivate')
    await dialogIsClosed()
    expect(sent()).toEqual([{ reason: 'Left', password: 'Banyan-2026' }])
  })

  it('[U-23] is deleted after its address is typed, with a receipt', async () => {
    await open({
      'DELETE /admin/people/:id': () => {
        isErased = true
        return ok({ receipt: { id, erasedAt: at } })
      },
    })
    await press('Delete account')
    await enter('Email address of the account', 'another@example.com')
    await pressInDialog('Delete account')
    expect(await screen.findByText('This is not the email address of the account')).toBeDefined()
    await pressInDialog('Cancel')
    await dialogIsClosed()
    await press('Delete account')
    await enter('Email address of the account', ' Asha@example.com')
    await pressInDialog('Delete account')
    const said = `This account was deleted on ${exactTime(at)}. Receipt: ${id}`
    expect(await screen.findByText(said)).toBeDefined()
    expect(await screen.findByRole('heading', { level: 1, name: 'Deleted account' })).toBeDefined()
    expect(screen.queryByRole('region', { name: 'Account' })).toBeNull()
    expect(sent()).toEqual([{ personalEmail: 'Asha@example.com' }])
  })
})
