import { screen } from '@testing-library/react'
import { useNavigate } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { currentSession, endSession, startSession } from '../../lib/session.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { fakeServer, deferredAnswer, type FakeServer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { insertAllStyles } from '../../testing/styles.tsx'
import { fakeClock } from '../../testing/fake-clock.ts'
import { EditProfilePage } from './edit-profile-page.tsx'

const [old, good] = ['Secret#1x', 'Better#2y']
const saveName = 'PUT /user/profile'
const savePassword = 'PUT /user/password'
let server: FakeServer
let view: ReturnType<typeof renderPages>
let clock: ReturnType<typeof fakeClock>

const nameIn = (body: unknown) => String((body as { fullName: string }).fullName)

const open = async () => {
  view = renderPages({ '/edit-profile': <EditProfilePage /> }, '/edit-profile')
  await clock.flush()
}

beforeEach(async () => {
  clock = fakeClock()
  startSession({ user: aUser(), token: 'a-token' })
  server = fakeServer()
  server.on('GET /user/profile', () => ok({ user: aUser() }))
  server.on(saveName, ({ body }) => ok({ user: aUser({ fullName: nameIn(body) }) }))
  server.on(savePassword, () => ok({}))
  await open()
})
afterEach(() => {
  view.unmount()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const save = async () => {
  await clock.user.click(screen.getByRole('button', { name: 'Save' }))
  await clock.flush()
}
const fillPasswords = async (current: string, wished: string, again: string) => {
  await clock.fill(field('Current password'), current)
  await clock.fill(field('New password'), wished)
  await clock.fill(field('Confirm new password'), again)
}

describe('the edit profile page', () => {
  it('[G-14 X-10] allows only the name to be edited', () => {
    expect(field('Full name').value).toBe('Ananya Iyer')
    expect(field('Full name').readOnly).toBe(false)
    expect(field('University').value).toBe('Hill University')
    expect(field('University').readOnly).toBe(true)
    expect(field('Mobile number').value).toBe('9876543210')
    expect(field('Mobile number').readOnly).toBe(true)
  })

  it('[X-1 X-12 X-21 X-24 X-28] saves only the name, shows a message and returns to the profile after a second', async () => {
    await clock.fill(field('Full name'), '  Ananya Rao ')
    await save()
    expect(screen.getByText('Profile updated successfully!')).toBeDefined()
    expect(server.requestsTo(saveName).map(({ body }) => body)).toEqual([{ fullName: 'Ananya Rao' }])
    expect(server.requestsTo(savePassword)).toEqual([])
    expect(currentSession()?.user.fullName).toBe('Ananya Rao')
    await clock.advance(999)
    expect(screen.queryByText('At /profile')).toBeNull()
    await clock.advance(1)
    expect(screen.getByText('At /profile')).toBeDefined()
  })

  it('[X-51] saves the “Language of notifications” if it was changed, and follows one that was chosen elsewhere', async () => {
    const language = () => screen.getByRole('combobox', { name: 'Language of notifications' })
    const choose = async (name: string) => {
      await clock.user.click(language())
      await clock.user.click(screen.getByRole('option', { name }))
      await clock.advance(500)
    }
    expect(language().textContent).toBe('English')
    server.on(saveName, ({ body }) => ok({ user: aUser({ ...Object(body) }) }))
    await choose('हिन्दी')
    await save()
    expect(server.requestsTo(saveName).at(-1)?.body).toEqual({ fullName: 'Ananya Iyer', notificationLanguage: 'hi' })
    expect(currentSession()?.user.notificationLanguage).toBe('hi')
    view.unmount()
    server.on('GET /user/profile', () => ok({ user: aUser({ notificationLanguage: 'ta' }) }))
    await open()
    expect(language().textContent).toBe('தமிழ்')
    await save()
    expect(server.requestsTo(saveName).at(-1)?.body).toEqual({ fullName: 'Ananya Iyer' })
    view.unmount()
    await open()
    await choose('English')
    await save()
    expect(server.requestsTo(saveName).at(-1)?.body).toEqual({ fullName: 'Ananya Iyer', notificationLanguage: 'en' })
  })

  it("shows the server's message about a password at that field", async () => {
    const message = 'This password is too common'
    await fillPasswords(old, good, good)
    for (const [name, label] of [
      ['currentPassword', 'Current password'],
      ['newPassword', 'New password'],
    ] as const) {
      const body = { success: false, code: 'invalid', message, errors: { [name]: message } }
      server.on(savePassword, () => ({ status: 400, body }))
      await save()
      // At the field only.
      expect(screen.getAllByText(message)).toHaveLength(1)
      expect(document.activeElement).toBe(field(label))
    }
  })

  it('[X-11 X-24 X-25] also saves a new password, and the name even if it was not changed', async () => {
    await fillPasswords(old, good, good)
    await save()
    expect(server.requestsTo(saveName).map(({ body }) => body)).toEqual([{ fullName: 'Ananya Iyer' }])
    expect(server.requestsTo(savePassword).map(({ body }) => body)).toEqual([
      { currentPassword: old, newPassword: good },
    ])
    expect(screen.getByText('Profile updated successfully!')).toBeDefined()
  })

  it('is replaced in the history after the return', async () => {
    view.unmount()
    const Profile = () => {
      const navigate = useNavigate()
      return <button onClick={() => void navigate(-1)}>Back from the profile</button>
    }
    view = renderPages({ '/edit-profile': <EditProfilePage />, '/profile': <Profile /> }, '/edit-profile')
    await clock.flush()
    await save()
    await clock.advance(1_000)
    await clock.user.click(screen.getByRole('button', { name: 'Back from the profile' }))
    await clock.flush()
    expect(screen.queryByLabelText('Full name')).toBeNull()
  })

  it('floats only the legend of the passwords, not those in the outlines of the fields', async () => {
    insertAllStyles()
    view.unmount()
    await open()
    const floats = [...document.querySelectorAll('legend')].map((legend) => getComputedStyle(legend).float)
    expect(floats.filter((float) => float === 'left')).toHaveLength(1)
  })

  it('[G-39 X-16 X-19] shows what is missing, focuses the first such field, compares the new passwords and sends nothing', async () => {
    await clock.fill(field('Confirm new password'), good)
    await save()
    expect(screen.getByText('Please enter your current password.')).toBeDefined()
    expect(screen.getByText('Please enter a new password.')).toBeDefined()
    expect(document.activeElement).toBe(field('Current password'))
    await clock.fill(field('Current password'), old)
    expect(screen.queryByText('Please enter your current password.')).toBeNull()
    expect(server.requestsTo(saveName)).toEqual([])

    await fillPasswords(old, good, old)
    await save()
    expect(screen.getByText("Passwords don't match!")).toBeDefined()
    expect(server.requests.some(({ call }) => call.startsWith('PUT'))).toBe(false)
  })

  it('says what is saved and what is not if the password is rejected', async () => {
    const message = 'Your current password is incorrect'
    server.on(savePassword, () => ({
      status: 400,
      body: { success: false, code: 'invalid', message, errors: { currentPassword: message } },
    }))
    await clock.fill(field('Full name'), 'Ananya Rao')
    await fillPasswords('Wrong#1xx', good, good)
    await save()
    expect(screen.getByText(`Your name is saved, your password is not: ${message}`)).toBeDefined()
    expect(screen.getByText(message)).toBeDefined()
    expect(document.activeElement).toBe(field('Current password'))
    expect(currentSession()?.user.fullName).toBe('Ananya Rao')
    await clock.advance(5_000)
    expect(screen.queryByText('At /profile')).toBeNull()
  })

  it('[X-27] shows an error if the name cannot be saved, changed or not, and does not send the password', async () => {
    await fillPasswords(old, good, good)
    for (const [answer, message, name] of [
      ['unreachable', networkErrorMessage, 'Ananya Iyer'],
      [problem(500, 'internal', 'Something broke'), 'Failed to update profile', 'Ananya Rao'],
      ['unreachable', networkErrorMessage, 'Ananya Rao'],
    ] as const) {
      server.on(saveName, () => answer)
      await clock.fill(field('Full name'), name)
      await save()
      expect(screen.getByRole('alert').textContent).toContain(message)
      expect(screen.queryByText('Profile updated successfully!')).toBeNull()
      expect(server.requestsTo(savePassword)).toEqual([])
      expect(field('New password').value).toBe(good)
    }
  })
})

it('a saved name is not undone by a profile that was requested before', async () => {
  view.unmount()
  const held = deferredAnswer()
  server.on('GET /user/profile', held.handler)
  view = renderPages({ '/edit-profile': <EditProfilePage /> }, '/edit-profile')
  await clock.flush()
  await clock.fill(field('Full name'), 'Ananya Rao')
  await save()
  server.on('GET /user/profile', () => ok({ user: aUser({ fullName: 'Ananya Rao' }) }))
  held.release(ok({ user: aUser() }))
  await clock.flush()
  expect(currentSession()?.user.fullName).toBe('Ananya Rao')
})

describe('a name that was changed elsewhere', () => {
  const elsewhere = aUser({ fullName: 'Ananya Iyer Rao' })
  const openWhile = async (act: () => Promise<void>) => {
    view.unmount()
    const held = deferredAnswer()
    server.on('GET /user/profile', held.handler)
    view = renderPages({ '/edit-profile': <EditProfilePage /> }, '/edit-profile')
    await clock.flush()
    await act()
    held.release(ok({ user: elsewhere }))
    await clock.flush()
  }

  it('appears in the field, and is not undone by a new password', async () => {
    await openWhile(() => fillPasswords(old, good, good))
    expect(field('Full name').value).toBe('Ananya Iyer Rao')
    expect(field('New password').value).toBe(good)
    await save()
    expect(server.requestsTo(savePassword)).toHaveLength(1)
    expect(server.requestsTo(saveName).map(({ body }) => body)).toEqual([{ fullName: 'Ananya Iyer Rao' }])
    expect(currentSession()?.user.fullName).toBe('Ananya Iyer Rao')
  })

  it('does not overwrite a typed name, which is saved', async () => {
    await openWhile(() => clock.fill(field('Full name'), 'Ananya R.'))
    expect(field('Full name').value).toBe('Ananya R.')
    await save()
    expect(server.requestsTo(saveName).map(({ body }) => body)).toEqual([{ fullName: 'Ananya R.' }])
  })
})

describe('an unsaved name', () => {
  const openAgain = async () => {
    view.unmount()
    startSession({ user: aUser(), token: 'another-token' })
    await open()
  }

  it('is back after the end of the session, without a password, until it is saved, canceled or the user logs out', async () => {
    await clock.fill(field('Full name'), 'Ananya Rao')
    await fillPasswords(old, good, good)
    endSession('ended')
    await openAgain()
    expect(field('Full name').value).toBe('Ananya Rao')
    expect(field('Current password').value).toBe('')
    expect(JSON.stringify(localStorage)).not.toContain(old)
    view.unmount()
    endSession('logged-out')
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])

    await openAgain()
    await clock.fill(field('Full name'), 'Ananya Rao')
    await clock.user.click(screen.getByRole('link', { name: 'Cancel' }))
    await openAgain()
    expect(field('Full name').value).toBe('Ananya Iyer')
    await clock.fill(field('Full name'), 'Ananya Rao')
    await save()
    view.unmount()
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })
})
