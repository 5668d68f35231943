import { act, cleanup, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { endSession, startSession } from '../../../lib/session.ts'
import { emptyRule } from '../../../features/campaigns/audience/rule.ts'
import { newDraft, noButton, requestFor, textSchema } from '../../../features/campaigns/draft.ts'
import { keepSendDraft, keptSendDraft, sendDraftKey } from '../../../features/campaigns/kept-draft.ts'
import { draftsOf } from '../../../lib/drafts.ts'
import {
  admin,
  clock,
  confirmSend,
  heldSends,
  keyOf,
  message,
  open,
  press,
  sendButton,
  sent,
  setUpSendPage,
  title,
  writeToTwo,
} from './testing/send-page.tsx'

setUpSendPage()

describe('a draft', () => {
  it('survives a reload and the end of the session, for its author only, until it is cleared', async () => {
    await open()
    await writeToTwo()
    await clock.advance(500)
    cleanup()
    endSession('ended')
    startSession({ user: { ...admin, _id: userId(901) }, token: 'token-2' })
    await open()
    expect(title()).toHaveProperty('value', '')
    cleanup()
    endSession('ended')
    startSession({ user: admin, token: 'token-3' })
    await open()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(message()).toHaveProperty('value', 'Please come to room 12.')
    expect(sendButton().textContent).toBe('Send to 2 users')
    await clock.user.clear(title())
    await clock.user.clear(message())
    await press(screen.getByRole('button', { name: 'Clear' }))
    cleanup()
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  it('in one tab is left alone by another one that only shows an empty form or the same text', async () => {
    const key = sendDraftKey(admin._id)
    const elsewhere = { ...newDraft, text: { ...newDraft.text, title: 'Typed elsewhere' } }
    await open()
    keepSendDraft(admin._id, elsewhere)
    cleanup()
    expect(localStorage.getItem(key)).toContain('Typed elsewhere')
    await open()
    const oldValue = localStorage.getItem(key)
    keepSendDraft(admin._id, { ...elsewhere, text: { ...elsewhere.text, title: 'Another one' } })
    const newValue = localStorage.getItem(key)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue })))
    expect(title()).toHaveProperty('value', 'Typed elsewhere')
    cleanup()
    expect(localStorage.getItem(key)).toBe(newValue)
  })

  it('of one tab is not replaced by that of another, nor discarded when the other is sent', async () => {
    const titled = (text: string) => ({ ...newDraft, text: { ...newDraft.text, title: text } })
    const keptTitles = () => draftsOf(admin._id, 'send').map((name) => keptSendDraft(admin._id, name)?.text.title)
    // A tab that was opened before another one kept its draft.
    await open()
    keepSendDraft(admin._id, titled('Of the other tab'))
    await clock.fill(title(), 'Of this tab')
    await clock.advance(500)
    expect(keptTitles().toSorted()).toEqual(['Of the other tab', 'Of this tab'])
    cleanup()
    keepSendDraft(admin._id, titled('Of the other tab, later'))
    await open()
    expect(title()).toHaveProperty('value', 'Of this tab')
    keepSendDraft(admin._id, newDraft)
    expect(keptTitles()).toEqual(['Of this tab'])
    cleanup()
    await open()
    expect(title()).toHaveProperty('value', 'Of this tab')
  })

  it('repeats its request if the same list is chosen again after a lost answer', async () => {
    const contacts = ['asha.rao@example.com', 'ravi.rao@example.com']
    const rule = { ...emptyRule, contactList: { source: 'the pasted list', contacts } }
    const text = { title: 'Fees', message: 'Due on Monday', type: 'Exam' as const }
    const { request } = requestFor(text, { rule, lastRequest: undefined }, 2)
    keepSendDraft(admin._id, { text: { ...text, button: noButton }, rule, lastRequest: request })
    endSession('logged-out')
    startSession({ user: admin, token: 'token-3' })
    const kept = keptSendDraft(admin._id)
    expect(kept?.rule).toEqual(emptyRule)
    expect(requestFor(text, { rule, lastRequest: kept?.lastRequest }, 2).request.key).toBe(request.key)
    const others = { ...rule, contactList: { source: 'the pasted list', contacts: ['eve@example.com'] } }
    expect(requestFor(text, { rule: others, lastRequest: kept?.lastRequest }, 1).request.key).not.toBe(request.key)
  })

  it('that was taken back elsewhere is sent when it is confirmed again', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    cleanup()
    heldSends.takeBack(aCampaign(3).id)
    await open()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    await confirmSend()
    expect(screen.queryByText(/was taken back/)).toBeNull()
    expect(screen.getByRole('timer').textContent).toMatch(/^Sending to 2 people in [78] s$/)
    expect(sent()).toHaveLength(3)
    expect(keyOf(2)).not.toBe(keyOf(1))
  })

  it('that another tab has confirmed a moment ago repeats its request', async () => {
    await open()
    await writeToTwo()
    await clock.advance(500)
    const kept = keptSendDraft(admin._id)
    if (!kept) throw new Error('the draft is not kept')
    const { request } = requestFor(textSchema.parse(kept.text), kept, 2)
    keepSendDraft(admin._id, { ...kept, lastRequest: request })
    await confirmSend()
    expect(keyOf(0)).toBe(request.key)
  })

  it('that another tab has sent leaves a page that the browser had kept', async () => {
    await open()
    await writeToTwo()
    await clock.advance(500)
    localStorage.removeItem(sendDraftKey(admin._id))
    act(() => void window.dispatchEvent(new Event('pageshow')))
    expect(title()).toHaveProperty('value', '')
  })

  it('of a form that disappears at the log-out leaves no addresses behind', async () => {
    const rule = { ...emptyRule, contactList: { source: 'the pasted list', contacts: ['asha.rao@example.com'] } }
    keepSendDraft(admin._id, { ...newDraft, text: { ...newDraft.text, title: 'Fees' }, rule })
    await open()
    await clock.fill(title(), 'Fees are due')
    act(() => endSession('logged-out'))
    cleanup()
    expect(JSON.stringify(localStorage)).not.toContain('asha.rao')
  })

  it('loses its list of addresses at a log-out, and leaves the form when another tab has sent it', async () => {
    const rule = { ...emptyRule, contactList: { source: 'the pasted list', contacts: ['asha.rao@example.com'] } }
    keepSendDraft(admin._id, { ...newDraft, text: { ...newDraft.text, title: 'Fees' }, rule })
    await open()
    expect(screen.getByText(/the pasted list/)).toBeDefined()
    cleanup()
    endSession('logged-out')
    expect(JSON.stringify(localStorage)).not.toContain('asha.rao')
    startSession({ user: admin, token: 'token-3' })
    await open()
    expect(title()).toHaveProperty('value', 'Fees')
    await clock.advance(500)
    const key = sendDraftKey(admin._id)
    const oldValue = localStorage.getItem(key)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: null })))
    expect(title()).toHaveProperty('value', '')
  })
})
