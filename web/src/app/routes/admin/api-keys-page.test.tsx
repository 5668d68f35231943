import { type ApiKey, maxApiKeys } from '@portal/contracts/auth/api-keys'
import { apiKeyIdSchema } from '@portal/contracts/shared/ids'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, type FakeAnswer, type FakeHandler, ok, problem } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { until } from '../../../testing/until.ts'

const keyOf = (n: number, more: Partial<ApiKey> = {}): ApiKey => ({
  id: apiKeyIdSchema.parse(`01980000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`),
  label: `Key ${n}`,
  rights: ['send'],
  createdAt: '2026-11-20T03:35:00.000Z',
  ...more,
})
const erp = keyOf(1, { label: 'ERP', rights: ['send', 'read-results'], lastUsedOn: '2026-11-21' })
const secret = `pk_${'x'.repeat(65)}`

let app: OpenApp
let apiKeys: ApiKey[]
let bodies: unknown[]

const open = async (answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path: '/admin/profile/api-keys',
    user: aUser({ role: 'admin' }),
    answers: {
      'GET /admin/api-keys': () => ok({ apiKeys }),
      'POST /admin/api-keys': ({ body }) => {
        bodies.push(body)
        const created = keyOf(2, { label: 'CRM' })
        apiKeys = [created, ...apiKeys]
        return ok({ apiKey: created, key: secret })
      },
      'DELETE /admin/api-keys/:id': ({ path }) => {
        apiKeys = apiKeys.filter(({ id }) => path !== `/admin/api-keys/${id}`)
        return ok({ message: 'API key revoked' })
      },
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'API keys' })
}
const press = async (name: string) => app.user.click(await screen.findByRole('button', { name }))
const dialog = () => screen.findByRole('dialog')
const pressInDialog = async (name: string) => app.user.click(within(await dialog()).getByRole('button', { name }))
const enter = async (label: string, text: string) => app.user.type(within(await dialog()).getByLabelText(label), text)
const focusIsOn = (level: 1 | 2, name: string) =>
  until(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level, name })))

beforeEach(() => {
  apiKeys = [erp]
  bodies = []
})
afterEach(() => app.close())

describe('the API keys of an admin', () => {
  it('[X-44] have label, rights, creation and last use, with an example of a call', async () => {
    apiKeys = [keyOf(3), erp]
    await open()
    expect(await screen.findByText('ERP', { selector: '.name' })).toBeDefined()
    expect(screen.getByText('Send notifications · Read results')).toBeDefined()
    expect(screen.getByText('Created Nov 20, 2026 · Last used Nov 21, 2026')).toBeDefined()
    expect(screen.getByText('Created Nov 20, 2026 · Never used')).toBeDefined()
    expect(screen.getByText(/^curl .*\/notifications\/send/)).toBeDefined()
    await app.user.click(screen.getByRole('link', { name: 'Back to your profile' }))
    await app.user.click(await screen.findByRole('link', { name: 'API keys' }))
    expect(window.location.pathname).toBe('/admin/profile/api-keys')
  })

  it('[X-44] say so if there are none, and are asked for again after a failure', async () => {
    let answer: FakeAnswer = problem(503, 'unavailable', 'Please try again later')
    await open({ 'GET /admin/api-keys': () => answer })
    expect(await screen.findByText('Your API keys could not be loaded.')).toBeDefined()
    answer = ok({ apiKeys: [] })
    await press('Try again')
    expect(await screen.findByText('You have no API keys.')).toBeDefined()
  })

  it('[X-44] are ten at most', async () => {
    apiKeys = Array.from({ length: maxApiKeys }, (_, n) => keyOf(n))
    await open()
    expect(await screen.findByText('You have 10 keys. Revoke one to create another.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'New key' })).toHaveProperty('disabled', true)
  })
})

describe('a new API key', () => {
  it('[X-44] takes label, rights and password, and is shown once to copy', async () => {
    await open()
    await press('New key')
    await pressInDialog('Create key')
    expect(await screen.findByText('Label is required')).toBeDefined()
    expect(screen.getByText('Please choose what the key can do')).toBeDefined()
    expect(screen.getByText('Please enter your current password.')).toBeDefined()
    await enter('Label', 'CRM')
    await pressInDialog('Create key')
    await until(() => expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Send notifications' })))
    await app.user.click(screen.getByRole('checkbox', { name: 'Read results' }))
    await app.user.click(screen.getByRole('checkbox', { name: 'Send notifications' }))
    await app.user.click(screen.getByRole('checkbox', { name: 'Read results' }))
    expect(screen.queryByText('Please choose what the key can do')).toBeNull()
    await enter('Your password', 'Banyan-2026')
    await pressInDialog('Create key')
    await focusIsOn(2, 'Key of CRM')
    expect(bodies).toEqual([{ label: 'CRM', rights: ['send'], password: 'Banyan-2026' }])
    expect(await screen.findByText('CRM', { selector: '.name' })).toBeDefined()

    await press('Copy')
    expect(await navigator.clipboard.readText()).toBe(secret)
    expect(await screen.findByText('Key copied')).toBeDefined()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
    await press('Copy')
    expect(await screen.findByText('The browser did not allow copying. Select the key and copy it.')).toBeDefined()
    expect(screen.getByText(secret)).toBeDefined()
    await press('Done')
    expect(screen.queryByText(secret)).toBeNull()
    await focusIsOn(1, 'API keys')
  })

  it('[X-44] is refused at its field, or below them', async () => {
    const wrong = { success: false, code: 'invalid', message: 'Your current password is incorrect' }
    let answer: FakeAnswer = { status: 400, body: { ...wrong, errors: { password: wrong.message } } }
    await open({ 'POST /admin/api-keys': () => answer })
    await press('New key')
    await enter('Label', 'CRM')
    await app.user.click(screen.getByRole('checkbox', { name: 'Send notifications' }))
    await enter('Your password', 'wrong')
    await pressInDialog('Create key')
    expect(await screen.findByText(wrong.message)).toBeDefined()
    answer = problem(409, 'conflict', 'You have 10 API keys. Revoke one to create another.')
    await pressInDialog('Create key')
    expect(await screen.findByText('You have 10 API keys. Revoke one to create another.')).toBeDefined()
    await pressInDialog('Cancel')
    await until(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('revoking an API key', () => {
  const revoke = async () => {
    await press('Revoke ERP')
    const asked = await screen.findByRole('dialog', { name: 'Revoke ERP?' })
    await app.user.click(within(asked).getByRole('button', { name: 'Revoke' }))
  }

  it('[X-45] ends it after a question, which can be canceled', async () => {
    await open()
    await press('Revoke ERP')
    await pressInDialog('Cancel')
    expect(apiKeys).toEqual([erp])
    await revoke()
    expect(await screen.findByText('ERP revoked')).toBeDefined()
    expect(await screen.findByText('You have no API keys.')).toBeDefined()
    await focusIsOn(1, 'API keys')
  })

  it('[X-45] says why it failed and keeps the key; one that is gone meanwhile is no failure', async () => {
    let answer = problem(503, 'unavailable', 'Please try again later')
    await open({ 'DELETE /admin/api-keys/:id': () => answer })
    await revoke()
    expect(await screen.findByText('Please try again later')).toBeDefined()
    expect(screen.getByText('ERP', { selector: '.name' })).toBeDefined()
    answer = problem(404, 'not-found', 'There is no such API key')
    await revoke()
    expect(await screen.findByText('ERP revoked')).toBeDefined()
  })
})
