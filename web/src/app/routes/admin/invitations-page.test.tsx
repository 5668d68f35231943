import { screen, within } from '@testing-library/react'
import {
  alreadyInvited,
  hasAccount,
  invitationNotFound,
  type Invitation,
  type SentInvitation,
} from '@portal/contracts/auth/invitations'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeAnswer, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { until } from '../../../testing/until.ts'
import { exactTime } from '../../../ui/time.tsx'

const idOf = (n: number) => userIdSchema.parse(`01890000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`)
const anInvitation = (n: number, fullName: string, changes: Partial<Invitation> = {}): Invitation => ({
  _id: idOf(n),
  fullName,
  personalEmail: `${fullName.toLowerCase().replace(' ', '.')}@example.com`,
  role: 'faculty',
  state: 'pending',
  invitedBy: 'Meera Nair',
  sentAt: '2026-11-20T03:35:00.000Z',
  expiresAt: '2026-11-23T03:35:00.000Z',
  ...changes,
})
const omar = anInvitation(1, 'Omar Farooqi')
const lena = anInvitation(2, 'Lena Roth', { role: 'admin', state: 'expired', invitedBy: '' })
const linkOf = (n: number) => `https://portal.example/reset-password?token=t${n}`

let app: OpenApp
let invitations: readonly Invitation[]
let hasMailServer: boolean

beforeEach(() => {
  invitations = [omar, lena]
  hasMailServer = true
})
afterEach(() => {
  vi.restoreAllMocks()
  return app.close()
})

const sentAs = (invitation: Invitation, n: number): FakeAnswer => {
  const data: SentInvitation = { ...invitation, ...(!hasMailServer && { link: linkOf(n) }) }
  return ok({ data })
}
const inviteNew: FakeHandler = ({ body }) => {
  const { fullName, personalEmail, role } = Object(body)
  if (personalEmail === omar.personalEmail) return problem(409, 'conflict', alreadyInvited.message)
  if (personalEmail === 'meera@example.com') return problem(409, 'conflict', hasAccount.message)
  if (personalEmail === 'late@example.com')
    return problem(429, 'too-many-requests', 'Too many invitations. Please try again in 60 minutes.')
  const n = invitations.length + 1
  const invitation = anInvitation(n, fullName, { personalEmail, role })
  invitations = [invitation, ...invitations]
  return sentAs(invitation, n)
}

const open = async (answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path: '/admin/dashboard/users',
    user: aUser({ role: 'admin', personalEmail: 'meera@example.com' }),
    answers: {
      'GET /admin/invitations': () => ok({ invitations }),
      'POST /admin/invitations': inviteNew,
      'POST /admin/invitations/:id/resend': () => sentAs(omar, 9),
      'DELETE /admin/invitations/:id': () => {
        invitations = invitations.filter(({ _id }) => _id !== omar._id)
        return ok({})
      },
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Users' })
}
const press = async (name: string | RegExp) => app.user.click(await screen.findByRole('button', { name }))
const dialog = () => screen.findByRole('dialog')
const pressInDialog = async (name: string) => app.user.click(within(await dialog()).getByRole('button', { name }))
const enter = async (label: string, text: string) => app.fill(within(await dialog()).getByLabelText(label), text)
const chooseRole = async (name: string) => {
  await app.user.click(within(await dialog()).getByLabelText('Role'))
  await app.user.click(await screen.findByRole('option', { name }))
}
const dialogIsClosed = () => until(() => expect(screen.queryByRole('dialog')).toBeNull())
const bodies = () => app.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])
const invitedBodies = () => bodies().flatMap(([path, body]) => (path === '/admin/invitations' ? [body] : []))
const itemsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const pending = async () => within(await screen.findByRole('region', { name: 'Pending invitations' }))

describe('inviting one person', () => {
  it('[U-24] asks for name, address and role, and shows the invitation in the list', async () => {
    await open()
    await press('Invite')
    await pressInDialog('Invite')
    for (const message of ['Name is required', 'Email is required', 'Please choose the role admin or faculty'])
      expect(await screen.findByText(message)).toBeDefined()
    await enter('Name', 'Asha Rao')
    await enter('Email', ' Asha.Rao@Example.com')
    await chooseRole('Faculty')
    expect(screen.queryByRole('option', { name: 'Student' })).toBeNull()
    await pressInDialog('Invite')
    await dialogIsClosed()
    expect(await screen.findByText('Asha Rao is invited')).toBeDefined()
    expect(invitedBodies()).toEqual([{ fullName: 'Asha Rao', personalEmail: 'asha.rao@example.com', role: 'faculty' }])
    expect(await (await pending()).findByText('asha.rao@example.com · Faculty')).toBeDefined()
  })

  it('offers to send an invitation again, and says what else is refused', async () => {
    await open()
    await press('Invite')
    await enter('Name', 'Omar')
    await enter('Email', 'meera@example.com')
    await chooseRole('Admin')
    await pressInDialog('Invite')
    expect(await screen.findByText(hasAccount.message)).toBeDefined()
    await enter('Email', omar.personalEmail.toUpperCase())
    await pressInDialog('Invite')
    await press('Send the invitation of Omar Farooqi again')
    await dialogIsClosed()
    expect(bodies().at(-1)?.[0]).toBe(`/admin/invitations/${omar._id}/resend`)
  })

  it('[U-26] shows the link to copy where no mail goes out, and goes on with the next person', async () => {
    hasMailServer = false
    await open()
    await press('Invite')
    await enter('Name', 'Asha Rao')
    await enter('Email', 'asha@example.com')
    await chooseRole('Admin')
    await pressInDialog('Invite')
    expect(
      await screen.findByText(/^Asha Rao is invited\. No mail server is set up, so no mail goes out\./),
    ).toBeDefined()
    await press('Copy the link for Asha Rao')
    expect(await navigator.clipboard.readText()).toBe(linkOf(3))
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
    await press('Copy the link for Asha Rao')
    expect(await screen.findByText('The browser did not allow copying. Select the link and copy it.')).toBeDefined()
    await pressInDialog('Invite another')
    expect(within(await dialog()).getByLabelText('Name')).toHaveProperty('value', '')
    await pressInDialog('Cancel')
    await dialogIsClosed()
    expect(screen.queryByText(linkOf(3))).toBeNull()
  })
})

describe('a pasted list', () => {
  const pasted = [
    'Name,E-mail',
    'Asha Rao, asha@example.com',
    `Omar, ${omar.personalEmail}`,
    'Meera, meera@example.com',
    'nobody@example.com',
    'Tara, tara@example',
    'Late, late@example.com',
    'Later, later@example.com',
  ].join('\n')

  it('[U-25] shows what it is read as, and what became of each line, and keeps what can be sent later', async () => {
    hasMailServer = false
    await open()
    await press('Invite')
    await pressInDialog('Paste a list')
    await pressInDialog('Invite')
    expect(await screen.findByText('Please paste a name and an address in each line')).toBeDefined()
    await enter('Names and email addresses', pasted)
    await until(() =>
      expect(itemsOf(screen.getByRole('list', { name: 'People in the list' }))).toEqual([
        'Asha Rao · asha@example.com',
        `Omar · ${omar.personalEmail}`,
        'Meera · meera@example.com',
        'nobody@example.comNo name',
        'Tara, tara@exampleNot an address',
        'Late · late@example.com',
        'Later · later@example.com',
      ]),
    )
    await chooseRole('Faculty')
    await pressInDialog('Invite')
    expect(await screen.findByText(/^1 of 7 invited\. No mail server/)).toBeDefined()
    const tooMany = 'Too many invitations. Please try again in 60 minutes.'
    await until(() =>
      expect(itemsOf(screen.getByRole('list', { name: 'What became of each line' }))).toEqual([
        `Asha Rao · asha@example.comInvited${linkOf(3)}Copy`,
        `Omar · ${omar.personalEmail}Already invited`,
        'Meera · meera@example.comAlready has an account',
        'nobody@example.comNo name',
        'Tara, tara@exampleNot an address',
        `Late · late@example.com${tooMany}`,
        `Later · later@example.com${tooMany}`,
      ]),
    )
    expect(invitedBodies()).toHaveLength(4)
    await until(() =>
      expect(within(screen.getByRole('dialog')).getByLabelText('Names and email addresses')).toHaveProperty(
        'value',
        'nobody@example.com\nTara, tara@example\nLate, late@example.com\nLater, later@example.com',
      ),
    )
    await pressInDialog('Close')
    await dialogIsClosed()
    expect(await (await pending()).findByText('Asha Rao')).toBeDefined()
  })

  it('is refused beyond 100 people', async () => {
    await open()
    await press('Invite')
    await pressInDialog('Paste a list')
    const people = Array.from({ length: 101 }, (_, n) => `P${n} p${n}@example.com`)
    await enter('Names and email addresses', people.join('\n'))
    await chooseRole('Faculty')
    await pressInDialog('Invite')
    expect(await screen.findByText('At most 100 people at once')).toBeDefined()
    expect(invitedBodies()).toEqual([])
  })
})

describe('the pending invitations', () => {
  it('[U-27] show role, expiry and by whom, and are sent again', async () => {
    await open()
    const list = await pending()
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      `Omar Farooqiomar.farooqi@example.com · FacultyExpires ${exactTime(omar.expiresAt)} · Invited by Meera NairResendWithdraw`,
      `Lena RothExpiredlena.roth@example.com · AdminExpired ${exactTime(lena.expiresAt)}ResendWithdraw`,
    ])
    await press('Resend the invitation of Omar Farooqi')
    expect(await screen.findByText('Invitation of Omar Farooqi sent again')).toBeDefined()
    hasMailServer = false
    await press('Resend the invitation of Omar Farooqi')
    await press('Copy the link for Omar Farooqi')
    expect(await navigator.clipboard.readText()).toBe(linkOf(9))
  })

  it('[U-27] are withdrawn after a question', async () => {
    await open()
    await press('Withdraw the invitation of Omar Farooqi')
    expect(await screen.findByText('Withdraw the invitation of Omar Farooqi?')).toBeDefined()
    await pressInDialog('Withdraw')
    expect(await screen.findByText('Invitation of Omar Farooqi withdrawn')).toBeDefined()
    await until(() => expect(screen.queryByText('omar.farooqi@example.com · Faculty')).toBeNull())
    expect(document.activeElement?.textContent).toBe('Pending invitations')
  })

  it('say why one cannot be sent, show more on request, and are absent without any', async () => {
    invitations = Array.from({ length: 7 }, (_, n) => anInvitation(n + 1, `Person ${n}`))
    await open({ 'POST /admin/invitations/:id/resend': () => problem(404, 'not-found', invitationNotFound.message) })
    expect((await pending()).getAllByRole('listitem')).toHaveLength(5)
    await press('Show all 7')
    expect((await pending()).getAllByRole('listitem')).toHaveLength(7)
    invitations = []
    await press('Resend the invitation of Person 0')
    expect(await screen.findByText(invitationNotFound.message)).toBeDefined()
    await until(() => expect(screen.queryByText('Pending invitations')).toBeNull())
  })

  it('say that they could not be loaded', async () => {
    let isDown = true
    await open({
      'GET /admin/invitations': () => (isDown ? problem(503, 'unavailable', 'Not now') : ok({ invitations })),
    })
    expect(await screen.findByText('Failed to load invitations.')).toBeDefined()
    isDown = false
    await press('Load again')
    await pending()
  })
})
