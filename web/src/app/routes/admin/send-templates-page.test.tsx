import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { aTemplate, serveTemplates } from '../../../features/campaigns/testing/fake-templates.ts'
import {
  clock,
  live,
  message,
  open,
  press,
  savedDrafts,
  sendButton,
  server,
  setUpSendPage,
  title,
  type,
  writeToTwo,
} from './testing/send-page.tsx'

setUpSendPage()

const lastUse = { at: '2026-11-20T10:00:00.000Z', by: { _id: userId(1), fullName: 'Asha Rao' } }
const fees = aTemplate(1, { name: 'Fees', title: 'Fees are due', message: 'Please pay.', isUrgent: true, lastUse })
const exams = aTemplate(2, { name: 'Exam hall', title: 'The hall' })

const dialog = (name: string) => within(screen.getByRole('dialog', { name }))
const list = async () => {
  await press(screen.getByRole('button', { name: 'Use a template' }))
  return dialog('Templates')
}
const saveAs = () => press(screen.getByRole('button', { name: 'Save as template' }))
const name = () => screen.getByRole('textbox', { name: 'Name' })

describe('a template', () => {
  it('is found by a few letters, with its last use, and fills the text but not the recipients', async () => {
    const templates = serveTemplates(server, [fees, exams])
    await open()
    const shown = await list()
    expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Exam hallThe hallNot used yet/),
      expect.stringMatching(/^FeesFees are dueLast used Nov 20, 2026 • .* by Asha Rao/),
    ])
    await clock.user.type(shown.getByRole('searchbox', { name: 'Search templates' }), 'due fee')
    expect(shown.getAllByRole('listitem')).toHaveLength(1)
    await press(shown.getByRole('button', { name: 'Use Fees' }))
    await clock.advance(500)
    expect(title()).toHaveProperty('value', 'Fees are due')
    expect(message()).toHaveProperty('value', 'Please pay.')
    expect(type().textContent).toBe('Exam')
    expect(screen.getByRole('checkbox', { name: /^Urgent/ })).toHaveProperty('checked', true)
    expect(templates.used).toEqual([fees._id])
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    await clock.advance(12_000)
    expect(savedDrafts.titles()).toEqual(['Fees are due'])
  })

  it('of another admin appears in the open list, and goes when it is deleted', async () => {
    const templates = serveTemplates(server, [fees])
    await open()
    const shown = await list()
    const tell = async () => {
      live.emit('templates:changed', { templateId: exams._id })
      await clock.advance(1_500)
    }
    const names = () => shown.getAllByRole('button', { name: /^Use / }).map(({ textContent }) => textContent)
    templates.put(exams)
    await tell()
    expect(names()).toEqual(['Use Exam hall', 'Use Fees'])
    templates.remove(exams)
    await tell()
    expect(names()).toEqual(['Use Fees'])
  })

  it('over a text can be undone, and keeps the recipients', async () => {
    serveTemplates(server, [fees])
    await open()
    await writeToTwo()
    await press((await list()).getByRole('button', { name: 'Use Fees' }))
    await clock.advance(500)
    expect(title()).toHaveProperty('value', 'Fees are due')
    expect(sendButton().textContent).toBe('Send to 2 users')
    await press(screen.getByRole('button', { name: 'Undo' }))
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(message()).toHaveProperty('value', 'Please come to room 12.')
    expect(sendButton().textContent).toBe('Send to 2 users')
  })

  it('is saved from a text that can be sent, under a new name', async () => {
    const templates = serveTemplates(server)
    await open()
    await saveAs()
    expect(screen.getByText('Please enter a notification title')).toBeTruthy()
    await writeToTwo()
    await saveAs()
    await press(dialog('Save as template').getByRole('button', { name: 'Save' }))
    expect(screen.getByText('Please enter a name for the template')).toBeTruthy()
    await clock.fill(name(), 'Hall closed')
    await clock.user.keyboard('{Enter}')
    await clock.advance(500)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(templates.named('Hall closed')).toMatchObject({
      title: 'The hall is closed',
      message: 'Please come to room 12.',
      type: 'System Maintenance',
    })
    // It is no send.
    expect(title()).toHaveProperty('value', ' The hall is closed ')
  })

  it('is replaced under its own name, unless another admin has changed it meanwhile', async () => {
    const templates = serveTemplates(server, [fees])
    await open()
    await writeToTwo()
    await saveAs()
    await clock.fill(name(), 'fees')
    templates.put({ ...fees, title: 'Of another admin', version: 2 })
    const save = () => press(dialog('Save as template').getByRole('button', { name: 'Replace' }))
    await save()
    expect(screen.getByText('Another admin has changed this template')).toBeTruthy()
    await save()
    await clock.advance(500)
    expect(templates.named('fees')).toMatchObject({ title: 'The hall is closed', version: 3 })
  })

  it('[C-24] keeps its second language, in the form and when it is renamed', async () => {
    const translation = { lang: 'hi', title: 'शुल्क', message: 'देय है' }
    const templates = serveTemplates(server, [aTemplate(1, { name: 'Fees', translation })])
    await open()
    await press((await list()).getByRole('button', { name: 'Rename Fees' }))
    await clock.fill(name(), 'Fees of July')
    await press(dialog('Rename the template').getByRole('button', { name: 'Save' }))
    await clock.advance(500)
    expect(templates.named('Fees of July')).toMatchObject({ translation })
    await press(dialog('Templates').getByRole('button', { name: 'Use Fees of July' }))
    await clock.advance(500)
    expect(screen.getByLabelText('Title in this language')).toHaveProperty('value', 'शुल्क')
  })

  it('is renamed, not to the name of another one, and deleted after a question', async () => {
    const templates = serveTemplates(server, [fees, exams])
    await open()
    await press((await list()).getByRole('button', { name: 'Rename Fees' }))
    await clock.fill(name(), 'Exam hall')
    const save = () => press(dialog('Rename the template').getByRole('button', { name: 'Save' }))
    await save()
    expect(screen.getByText('A template with this name exists')).toBeTruthy()
    await clock.fill(name(), 'Fees of July')
    await save()
    await clock.advance(500)
    expect(templates.names()).toEqual(['Exam hall', 'Fees of July'])
    expect(templates.named('Fees of July')).toMatchObject({ title: 'Fees are due', isUrgent: true })
    await press(dialog('Templates').getByRole('button', { name: 'Delete Fees of July' }))
    await press(dialog('Delete the template “Fees of July”?').getByRole('button', { name: 'Delete' }))
    await clock.advance(500)
    expect(dialog('Templates').getAllByRole('listitem')).toHaveLength(1)
    templates.remove(exams)
    await press(dialog('Templates').getByRole('button', { name: 'Delete Exam hall' }))
    await press(dialog('Delete the template “Exam hall”?').getByRole('button', { name: 'Delete' }))
    await clock.advance(500)
    expect(screen.getByText('Template not found')).toBeTruthy()
    expect(screen.getByText(/^No templates yet/)).toBeTruthy()
  })

  it('cannot be chosen while the server does not answer', async () => {
    await open()
    await list()
    expect(screen.getByText(/^Unable to connect to server/)).toBeTruthy()
  })
})
