import { act, screen, waitFor } from '@testing-library/react'
import { draftIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aProgram } from '../../../features/programs/admin/testing/programs.ts'
import { aUser, type FakeHandler, ok, problem } from '../../../testing/fake-portal.ts'
import { type OpenApp, openApp } from '../../../testing/open-app.tsx'

type Draft = { readonly version: number; readonly title: string; readonly content: string }

let app: OpenApp
let drafts: Map<string, Draft>

const changed = problem(409, 'conflict', 'This draft was changed elsewhere')
const updatedAt = '2026-11-21T10:00:00.000Z'
const idOf = (path: string) => draftIdSchema.parse(path.split('/').at(-1))
const save: FakeHandler = ({ path, body }) => {
  const _id = idOf(path)
  const { version, ...fields } = Object(body)
  if ((drafts.get(_id)?.version ?? 0) !== version) return changed
  const draft = { _id, ...fields, version: version + 1, updatedAt }
  drafts.set(_id, draft)
  return ok({ draft })
}
const program = aProgram(1)
const answers: Record<string, FakeHandler> = {
  'GET /admin/programs': () => ok({ data: [program] }),
  'GET /admin/programs/:id': () => ok({ data: program }),
  'PUT /admin/programs/:id': () => ok({ data: program }),
  'GET /notifications/drafts': () => ok({ drafts: [...drafts.values()] }),
  'GET /notifications/drafts/:id': ({ path }) => ok({ draft: drafts.get(idOf(path)) }),
  'PUT /notifications/drafts/:id': save,
  'DELETE /notifications/drafts/:id': ({ path }) => {
    drafts.delete(idOf(path))
    return ok({})
  },
}

const open = async (path: string) => {
  app = await openApp({ path, user: aUser({ role: 'admin' }), answers })
  await screen.findByRole('heading', { level: 2, name: 'Program Information' })
  await waitFor(() => expect(app.requests.some((request) => request.path === '/notifications/drafts')).toBe(true))
}
const edit = () => open(`/admin/programs/edit/${program._id}`)
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const fill = async (label: string, text: string) => {
  await app.user.clear(field(label))
  await app.user.click(field(label))
  await app.user.paste(text)
}
/** Another window gets the focus, once this device has kept what was typed. */
const leaveWindow = async (text: string) => {
  await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain(text))
  act(() => void window.dispatchEvent(new Event('blur')))
}
const onServer = (text: string) => waitFor(() => expect(JSON.stringify([...drafts.values()])).toContain(text))

beforeEach(() => {
  drafts = new Map()
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  await app.close()
  vi.restoreAllMocks()
})

describe('the changes of a program', () => {
  it('are saved on the server, and are back on another device, each in the form of their program', async () => {
    await edit()
    await fill('Program name', 'Renamed')
    await leaveWindow('Renamed')
    await onServer('Renamed')
    expect([...drafts.values()]).toMatchObject([{ kind: 'program', about: program._id, title: 'Renamed' }])
    await app.close()
    await open('/admin/programs/new')
    expect(field('Program name').value).toBe('')
    await app.close()
    await edit()
    await waitFor(() => expect(field('Program name').value).toBe('Renamed'))
    await screen.findByText('Your unsaved changes are back.')
  })

  it('are gone once the program is saved, and once they are discarded', async () => {
    for (const end of ['Update Program', 'Discard']) {
      await edit()
      await fill('Program name', 'Renamed')
      await leaveWindow('Renamed')
      await onServer('Renamed')
      if (end === 'Discard') {
        await app.close()
        await edit()
      }
      await app.user.click(await screen.findByRole('button', { name: end }))
      await waitFor(() => expect([...drafts.values()]).toEqual([]), { timeout: 10_000 })
      await app.close()
    }
    await edit()
  })

  it('on two devices ask which ones stay', async () => {
    await edit()
    await fill('Program name', 'Here')
    await leaveWindow('Here')
    await onServer('Here')
    for (const [id, draft] of drafts)
      drafts.set(id, { ...draft, version: 2, content: draft.content.replaceAll('Here', 'Elsewhere') })
    await fill('Program name', 'Here again')
    await leaveWindow('Here again')
    await screen.findByText(/^This draft was also changed elsewhere/)
    await app.user.click(screen.getByRole('button', { name: 'Use that version' }))
    await waitFor(() => expect(field('Program name').value).toBe('Elsewhere'))
  })
})
