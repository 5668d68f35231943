import { act, screen, waitFor, within } from '@testing-library/react'
import { universityNameTaken } from '@portal/contracts/catalog/errors'
import type { University } from '@portal/contracts/catalog/http'
import type { User } from '@portal/contracts/auth/user'
import { universityIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, describe, expect, it } from 'vitest'
import { aUser, ok, problem, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { insertAllStyles } from '../../../testing/styles.tsx'

let app: OpenApp

const university = (n: number, name: string): University => ({
  _id: universityIdSchema.parse(`01930000-0000-7000-8000-${String(n).padStart(12, '0')}`),
  name,
})

/** Opens the page on a fake server with these universities. */
const open = async (names: readonly string[], answers: Record<string, FakeHandler> = {}) => {
  let all = names.map((name, n) => university(n, name))
  const nameIn = (body: unknown) => String((body as { name: string }).name)
  app = await openApp({
    path: '/admin/universities',
    user: aUser({ role: 'admin' }),
    answers: {
      'GET /api/universities': () => ({ status: 200, body: all.toSorted((a, b) => a.name.localeCompare(b.name)) }),
      'POST /api/universities': ({ body }) => {
        const added = university(all.length, nameIn(body))
        all = [...all, added]
        return ok({ data: added })
      },
      'PUT /api/universities/:id': ({ path, body }) => {
        all = all.map((one) => (path.endsWith(one._id) ? { ...one, name: nameIn(body) } : one))
        return ok({ data: all.find((one) => path.endsWith(one._id)) })
      },
      'DELETE /api/universities/:id': ({ path }) => {
        all = all.filter((one) => !path.endsWith(one._id))
        return ok({})
      },
      ...answers,
    },
  })
}

const shown = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) => within(row).queryAllByRole('cell')[0]?.textContent)

const many = (count: number) => Array.from({ length: count }, (_, n) => `University ${n + 1}`)
const toast = (text: string) =>
  within(
    within(screen.getByRole('region', { name: 'Messages' }))
      .getByText(text)
      .closest('[role]') ?? document.body,
  )
const newName = () => screen.getByLabelText<HTMLInputElement>('University name')
const requestsBy = (method: string) => app.requests.filter((request) => request.method === method)

describe('the universities page', () => {
  afterEach(() => app.close())

  it('[U-2 U-5 U-8 U-9 U-13] adds a university with a trimmed name, and requires a name', async () => {
    await open([])
    await screen.findByText('No universities found. Add one above.')
    const add = screen.getByRole('button', { name: 'Add' })
    expect(add.hasAttribute('disabled')).toBe(true)
    await app.user.type(screen.getByLabelText('University name'), '   ')
    expect(add.hasAttribute('disabled')).toBe(true)
    await app.user.type(screen.getByLabelText('University name'), 'Hill University  {Enter}')
    await waitFor(() => expect(shown()).toEqual(['Hill University']))
    const added = app.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(added).toEqual([{ name: 'Hill University' }])
    expect(screen.getByLabelText<HTMLInputElement>('University name').value).toBe('')
  })

  it('[E7] still has a typed name after the end of the session, for its author only', async () => {
    await open([])
    await app.fill(newName(), 'Hill Univ')
    const kept = { ...localStorage }
    await app.close()
    const reopenAs = async (user: User) => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value))
      app = await openApp({
        path: '/admin/universities',
        user,
        answers: { 'GET /api/universities': () => ({ status: 200, body: [] }) },
      })
      return (await screen.findByLabelText<HTMLInputElement>('University name')).value
    }
    expect(
      await reopenAs(aUser({ _id: userIdSchema.parse('01930000-0000-7000-8000-00000000bbbb'), role: 'admin' })),
    ).toBe('')
    await app.close()
    expect(await reopenAs(aUser({ role: 'admin' }))).toBe('Hill Univ')
    await app.fill(newName(), '')
    expect(Object.keys(localStorage).filter((key) => key.includes('university'))).toEqual([])
  })

  it('shows at the field that a name is taken, until the name is edited', async () => {
    await open(['Coast'], {
      'POST /api/universities': () => problem(409, 'conflict', universityNameTaken.message),
      'PUT /api/universities/:id': () => problem(409, 'conflict', universityNameTaken.message),
    })
    await screen.findByText('1 university')
    const field = screen.getByLabelText<HTMLInputElement>('University name')
    await app.user.type(field, 'coast{Enter}')
    const message = await screen.findByText(universityNameTaken.message)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(field.getAttribute('aria-describedby')).toContain(message.id)
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('coast')
    expect(screen.queryByRole('alert')).toBeNull()
    await app.user.type(field, 's')
    expect(screen.queryByText(universityNameTaken.message)).toBeNull()
    expect(field.getAttribute('aria-invalid')).toBe('false')

    await app.user.click(screen.getByRole('button', { name: 'Edit Coast' }))
    const row = within(screen.getByRole('table')).getByLabelText<HTMLInputElement>('University name')
    await app.user.type(row, ' 2{Enter}')
    await screen.findByText(universityNameTaken.message)
    expect(row.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(row)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('[U-2] has a column for the names and one for the actions, and reverses the order by a click on the header', async () => {
    await open(['Coast', 'Álamo', 'Hill'])
    const head = await screen.findByRole('button', { name: 'Name' })
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'Actions'])
    // A short list needs no search.
    expect(screen.getByText('3 universities')).toBeDefined()
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(shown()).toEqual(['Álamo', 'Coast', 'Hill'])
    await app.user.click(head)
    expect(shown()).toEqual(['Hill', 'Coast', 'Álamo'])
    expect(head.closest('th')?.getAttribute('aria-sort')).toBe('descending')
  })

  it('searches a long list by name, ignoring accents, with the query in the address, and focuses it if a new name does not match', async () => {
    await open(['Coast', 'Álamo', 'Hill', ...many(9)])
    const search = await screen.findByRole('searchbox', { name: 'Search universities' })
    expect(screen.getByText('12 universities')).toBeDefined()
    await app.user.type(search, 'alam')
    expect(shown()).toEqual(['Álamo'])
    expect(screen.getByText('1 of 12 universities')).toBeDefined()
    await app.user.type(search, 'o!')
    expect(screen.getByText('No university matches “alamo!”.')).toBeDefined()
    await waitFor(() => expect(window.location.search).toBe('?q=alamo%21'))

    await app.fill(search, 'hill')
    await app.user.click(await screen.findByRole('button', { name: 'Edit Hill' }))
    const field = screen.getAllByLabelText('University name')[1] ?? document.body
    await app.user.clear(field)
    await app.user.type(field, 'Valley{Enter}')
    const none = await screen.findByText('No university matches “hill”.')
    await waitFor(() => expect(document.activeElement?.contains(none)).toBe(true))
    expect(document.activeElement).not.toBe(document.body)
  })

  it('[U-8 U-9 U-14 U-18] does not save a blank name, and renames back by Undo', async () => {
    await open(['Coast'])
    await app.user.click(await screen.findByRole('button', { name: 'Edit Coast' }))
    const field = screen.getAllByLabelText('University name')[1] ?? document.body
    await app.user.clear(field)
    await app.user.type(field, '  ')
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
    await app.user.type(field, 'Hill {Enter}')
    await waitFor(() => expect(shown()).toEqual(['Hill']))
    expect(app.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([{ name: 'Hill' }])
    await app.user.click(toast('Coast renamed to Hill').getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(shown()).toEqual(['Coast']))
  })

  it('[U-1 U-3 U-7] renames in place, or cancels, and returns the focus to the edited row', async () => {
    await open(['Coast', 'Hill'])
    await app.user.click(await screen.findByRole('button', { name: 'Edit Hill' }))
    const field = screen.getAllByLabelText('University name')[1] ?? document.body
    await app.user.clear(field)
    await app.user.type(field, 'Valley')
    await app.user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(shown()).toEqual(['Coast', 'Hill'])

    await app.user.click(screen.getByRole('button', { name: 'Edit Hill' }))
    await app.user.type(screen.getAllByLabelText('University name')[1] ?? document.body, ' State')
    await app.user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(shown()).toEqual(['Coast', 'Hill State']))

    const edit = () => screen.findByRole('button', { name: 'Edit Hill State' })
    for (const leave of [
      () => app.user.keyboard('{Escape}'),
      () => app.user.click(screen.getByRole('button', { name: 'Cancel' })),
      () => app.user.click(screen.getByRole('button', { name: 'Save' })),
    ]) {
      await app.user.click(await edit())
      await leave()
      expect(document.activeElement).toBe(await edit())
    }
  })

  it('[U-4 U-10 U-15 U-18] deletes after a confirmation, and adds the university again by Undo', async () => {
    await open(['Coast', 'Hill'])
    const answer = async (name: string) => {
      await app.user.click(await screen.findByRole('button', { name: 'Delete Coast' }))
      const dialog = within(await screen.findByRole('dialog'))
      expect(dialog.getByText('Are you sure you want to delete this university?')).toBeDefined()
      await app.user.click(dialog.getByRole('button', { name }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    await answer('Cancel')
    expect(shown()).toEqual(['Coast', 'Hill'])
    await answer('Delete')
    await waitFor(() => expect(shown()).toEqual(['Hill']))
    await app.user.keyboard('{Alt>}z{/Alt}')
    await waitFor(() => expect(shown()).toEqual(['Coast', 'Hill']))
    expect(requestsBy('POST').filter(({ path }) => path.endsWith('universities'))).toMatchObject([
      { body: { name: 'Coast' } },
    ])
  })

  it('[U-17] shows an error if adding, renaming or deleting fails', async () => {
    const broken = () => problem(500, 'internal', 'Broken')
    await open(['Coast'], {
      'POST /api/universities': broken,
      'PUT /api/universities/:id': broken,
      'DELETE /api/universities/:id': broken,
    })
    const says = async (message: string) =>
      expect((await screen.findByText(message)).closest('[role=alert]')).not.toBeNull()
    await app.user.click(await screen.findByRole('button', { name: 'Edit Coast' }))
    await app.user.click(screen.getByRole('button', { name: 'Save' }))
    await says('Failed to update university. Please try again.')
    await app.user.click(screen.getByRole('button', { name: 'Cancel' }))
    await app.user.click(screen.getByRole('button', { name: 'Delete Coast' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await says('Failed to delete university. Please try again.')
    await app.user.type(newName(), 'Hill{Enter}')
    await says('Failed to add university. Please try again.')
    app.answer('POST /api/universities', () => problem(409, 'conflict', 'This university exists already'))
    await app.user.type(newName(), '{Enter}')
    expect(await screen.findByText('This university exists already')).toBeDefined()
  })

  it('ignores a late response to an older request', async () => {
    const entry: { answer?: () => void } = {}
    let requests = 0
    await open([], {
      'GET /api/universities': async () => {
        requests += 1
        if (requests > 1) return { status: 200, body: [university(1, 'Coast')] }
        await new Promise<void>((resolve) => (entry.answer = resolve))
        return { status: 200, body: [] }
      },
    })
    await app.user.type(await screen.findByLabelText('University name'), 'Coast{Enter}')
    await waitFor(() => expect(shown()).toEqual(['Coast']))
    await act(async () => entry.answer?.())
    expect(shown()).toEqual(['Coast'])
  })

  it('[U-16] shows a banner with a retry if the list cannot be loaded or reloaded', async () => {
    insertAllStyles()
    let names: readonly string[] | null = null
    await open([], {
      'GET /api/universities': () =>
        names ? { status: 200, body: names.map((name, n) => university(n, name)) } : problem(500, 'internal', 'Broken'),
    })
    const retry = async (given: readonly string[]) => {
      const banner = await screen.findByRole('alert')
      expect(banner.textContent).toContain('Failed to load universities. Please try again.')
      expect(getComputedStyle(banner).backgroundColor).not.toBe('')
      names = given
      await app.user.click(within(banner).getByRole('button', { name: 'Try again' }))
      await waitFor(() => expect(shown()).toEqual(given))
      expect(screen.queryByRole('alert')).toBeNull()
    }
    await retry(['Coast'])
    names = null
    await app.user.type(newName(), 'Hill{Enter}')
    await screen.findByRole('alert')
    expect(shown()).toEqual(['Coast'])
    await retry(['Coast', 'Hill'])
  })

  it('[U-18] shows an added university first, says so, and removes it again by Undo, or says that this has failed', async () => {
    await open(many(12))
    await screen.findByText('12 universities')
    await app.fill(newName(), 'Zeta University')
    await app.user.click(screen.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(shown()[0]).toBe('Zeta University'))
    expect(screen.getByText('13 universities')).toBeDefined()
    expect(document.activeElement).toBe(newName())
    await app.user.click(toast('Zeta University added').getByRole('button', { name: 'Undo' }))
    await screen.findByText('12 universities')
    expect(shown()).not.toContain('Zeta University')
    expect(requestsBy('DELETE')).toHaveLength(1)
    expect(document.activeElement).toBe(newName())

    app.answer('DELETE /api/universities/:id', () => problem(500, 'internal', 'Broken'))
    await app.user.type(newName(), 'Hill{Enter}')
    await screen.findByText('Hill added')
    await app.user.keyboard('{Alt>}z{/Alt}')
    expect(await screen.findByText('Failed to delete university. Please try again.')).toBeDefined()
    expect(shown()).toContain('Hill')
  })

  it('says before a deletion how many learners belong to the university', async () => {
    await open(['Coast'])
    for (const [count, text] of [
      [41, '41 learners belong to it and keep it.'],
      [1, '1 learner belongs to it and keeps it.'],
      [0, 'No learner belongs to it.'],
    ] as const) {
      app.answer('POST /notifications/audience', () => ok({ count, unknown: [], duplicates: 0, sentence: '' }))
      await app.user.click(await screen.findByRole('button', { name: 'Delete Coast' }))
      expect(await screen.findByText(`Coast will no longer be offered at registration. ${text}`)).toBeDefined()
      const counts = requestsBy('POST').filter(({ path }) => path === '/notifications/audience')
      expect(counts.at(-1)?.body).toEqual({ audience: { universityNames: ['Coast'], roles: ['student'] } })
      await app.user.click(screen.getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
  })

  describe('with several pasted lines', () => {
    const paste = async (...lines: readonly string[]) => {
      await app.user.click(newName())
      await app.user.paste(lines.join('\n'))
      return within(await screen.findByRole('dialog'))
    }

    it('asks, unless there is nothing to add, adds those that do not exist, and removes them again by Undo', async () => {
      await open(['Coast', 'Hill'])
      await screen.findByText('2 universities')
      const nothing = await paste('Coast', 'Hill')
      expect(nothing.getByText('Nothing to add')).toBeDefined()
      await app.user.click(nothing.getByRole('button', { name: 'OK' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(requestsBy('POST')).toEqual([])
      const dialog = await paste('coast', 'Zeta', 'Valley', '', 'HILL')
      expect(dialog.getByText('Add 2 universities?')).toBeDefined()
      expect(dialog.getByText('2 exist already.')).toBeDefined()
      await app.user.click(dialog.getByRole('button', { name: 'Add' }))
      await waitFor(() => expect(shown()).toEqual(['Valley', 'Zeta', 'Coast', 'Hill']))
      expect(newName().value).toBe('')
      await waitFor(() => expect(document.activeElement).toBe(newName()))
      await app.user.click(toast('2 universities added').getByRole('button', { name: 'Undo' }))
      await waitFor(() => expect(shown()).toEqual(['Coast', 'Hill']))
    })

    it('shows its progress, and can be stopped', async () => {
      const held: { release?: () => void } = {}
      await open(['Coast'], {
        'POST /api/universities': async ({ body }) => {
          await new Promise<void>((resolve) => (held.release = resolve))
          return ok({ data: university(9, String((body as { name: string }).name)) })
        },
      })
      await screen.findByText('1 university')
      const dialog = await paste('Hill', 'Valley', 'Zeta')
      await app.user.click(dialog.getByRole('button', { name: 'Add' }))
      expect(await dialog.findByText('Adding 1 of 3')).toBeDefined()
      expect(dialog.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('0')
      await app.user.click(dialog.getByRole('button', { name: 'Stop' }))
      await act(async () => held.release?.())
      expect(await screen.findByText('Hill added')).toBeDefined()
      expect(requestsBy('POST').filter(({ path }) => path.endsWith('universities'))).toHaveLength(1)
    })

    it('skips a name that another admin has added meanwhile', async () => {
      await open(['Coast'], {
        'POST /api/universities': ({ body }) =>
          (body as { name: string }).name === 'Hill'
            ? problem(409, 'conflict', universityNameTaken.message)
            : ok({ data: university(5, 'Valley') }),
      })
      await screen.findByText('1 university')
      const dialog = await paste('Hill', 'Valley')
      await app.user.click(dialog.getByRole('button', { name: 'Add' }))
      expect(await screen.findByText('Valley added')).toBeDefined()
      expect(screen.queryByRole('alert')).toBeNull()
    })

    it('says where and why it stopped if a university cannot be added', async () => {
      let requests = 0
      await open([], {
        'POST /api/universities': () =>
          ++requests === 1 ? ok({ data: university(1, 'Hill') }) : problem(500, 'internal', 'Broken'),
      })
      await screen.findByText('No universities found. Add one above.')
      const dialog = await paste('Hill', 'Valley', 'Zeta')
      await app.user.click(dialog.getByRole('button', { name: 'Add' }))
      expect((await screen.findByRole('alert')).textContent).toContain(
        '1 of 3 universities were added. “Valley”: Failed to add university. Please try again.',
      )
      expect(screen.getByText('Hill added')).toBeDefined()
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      app.answer('POST /api/universities', () => problem(409, 'conflict', 'There can be at most 1000 universities'))
      await app.user.clear(newName())
      const again = await paste('Forest', 'Valley')
      await app.user.click(again.getByRole('button', { name: 'Add' }))
      expect(
        await screen.findByText(/0 of 2 universities were added. “Forest”: There can be at most 1000 universities/),
      ).toBeDefined()
    })
  })
})
