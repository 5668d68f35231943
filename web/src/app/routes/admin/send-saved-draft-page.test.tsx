import { act, cleanup, screen, within } from '@testing-library/react'
import { limits } from '@portal/contracts/shared/rules'
import { describe, expect, it } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { emptyRule } from '../../../features/campaigns/audience/rule.ts'
import { newDraft } from '../../../features/campaigns/draft.ts'
import { keepSendDraft } from '../../../features/campaigns/kept-draft.ts'
import { endSession, startSession } from '../../../lib/session.ts'
import { ok, problem } from '../../../testing/fake-portal.ts'
import {
  admin,
  clock,
  confirmSend,
  heldSends,
  live,
  message,
  open,
  press,
  savedDrafts,
  sendButton,
  sendNow,
  server,
  setUpSendPage,
  title,
  writeToTwo,
} from './testing/send-page.tsx'

setUpSendPage()

const untilSaved = () => clock.advance(12_000)
const anotherDevice = async () => {
  cleanup()
  await clock.flush()
  localStorage.clear()
  sessionStorage.clear()
  startSession({ user: admin, token: 'token-2' })
  await open()
  await clock.flush()
}
const own = () => {
  const [draft] = savedDrafts.all()
  if (!draft) throw new Error('the server has no draft')
  return draft
}
/** Another device changes the draft that this one shows. */
const changeElsewhere = (newTitle: string, draft = own()) => {
  const content = JSON.parse(draft.content)
  const changed = JSON.stringify({ ...content, text: { ...content.text, title: newTitle } })
  savedDrafts.save(draft._id, { ...draft, title: newTitle, content: changed })
}
const conflict = () => screen.queryByText(/^This draft was also changed elsewhere/)
const unsaved = () => screen.queryByText(/saved on this device only/i)
const drafts = async () => {
  await press(screen.getByRole('button', { name: 'Drafts' }))
  return within(screen.getByRole('dialog', { name: 'Drafts' }))
}

describe('what is typed', () => {
  it('is saved on the server, not for each letter, and opens on another device with its recipients', async () => {
    await open()
    await writeToTwo()
    await clock.advance(3_000)
    expect(savedDrafts.saves()).toHaveLength(1)
    for (const end of ['.', '!', '?']) {
      await clock.fill(message(), `Please come to room 12${end}`)
      await clock.advance(1_000)
    }
    expect(savedDrafts.saves()).toHaveLength(1)
    await untilSaved()
    expect(savedDrafts.saves()).toHaveLength(2)
    expect(screen.getByText('Draft saved')).toBeTruthy()
    await anotherDevice()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(message()).toHaveProperty('value', 'Please come to room 12?')
    expect(sendButton().textContent).toBe('Send to 2 users')
    await untilSaved()
    expect(savedDrafts.saves()).toHaveLength(2)
  })

  it('is saved when the page is left, and when its window loses the focus', async () => {
    await open()
    await clock.fill(title(), 'First')
    await clock.advance(400)
    act(() => void window.dispatchEvent(new Event('blur')))
    await clock.flush()
    expect(savedDrafts.titles()).toEqual(['First'])
    await clock.fill(title(), 'Second')
    cleanup()
    await clock.flush()
    expect(savedDrafts.titles()).toEqual(['Second'])
  })

  it('without a connection stays on this device, says so, and is saved once the server answers', async () => {
    savedDrafts.answerWith('unreachable')
    await open()
    await clock.fill(title(), 'Offline')
    await clock.advance(20_000)
    expect(unsaved()).toBeTruthy()
    cleanup()
    await open()
    expect(title()).toHaveProperty('value', 'Offline')
    savedDrafts.answerWith(undefined)
    act(() => void window.dispatchEvent(new Event('online')))
    await untilSaved()
    expect(savedDrafts.titles()).toEqual(['Offline'])
    expect(unsaved()).toBeNull()
  })

  it('is one draft if the answer to a save is lost, whatever was typed since', async () => {
    await open()
    savedDrafts.answerWith('unreachable', { isLost: true })
    await clock.fill(title(), 'First')
    await clock.advance(3_000)
    savedDrafts.answerWith(undefined)
    await clock.fill(title(), 'First and more')
    await clock.advance(30_000)
    expect(savedDrafts.titles()).toEqual(['First and more'])
    expect(conflict()).toBeNull()
  })

  it('survives the end of the session, and a log-out that removes its list of addresses from this device', async () => {
    const contacts = ['asha.rao@example.com']
    const rule = { ...emptyRule, contactList: { source: 'the pasted list', contacts } }
    keepSendDraft(admin._id, { ...newDraft, text: { ...newDraft.text, title: 'To a list' }, rule })
    await open()
    await untilSaved()
    cleanup()
    endSession('logged-out')
    startSession({ user: admin, token: 'token-3' })
    await open()
    await untilSaved()
    expect(screen.getByText(/the pasted list/)).toBeTruthy()
    expect(JSON.parse(own().content)).toMatchObject({ contacts: { contacts } })
  })

  it('is kept on the device if the server refuses it, with the reason', async () => {
    await open()
    savedDrafts.answerWith(problem(409, 'conflict', 'You can keep at most 50 drafts. Please delete some first'))
    await clock.fill(title(), 'One more')
    await untilSaved()
    expect(unsaved()?.textContent).toMatch(/^You can keep at most 50 drafts\. Please delete some first\./)
  })

  it('with too many recipients is saved without them, and says so elsewhere', async () => {
    const include = new Set(Array.from({ length: 6_000 }, (_, n) => userId(n)))
    keepSendDraft(admin._id, {
      ...newDraft,
      text: { ...newDraft.text, title: 'To many' },
      rule: { ...emptyRule, include },
    })
    await open()
    await untilSaved()
    expect(own().content.length).toBeLessThanOrEqual(limits.draftChars)
    await anotherDevice()
    expect(title()).toHaveProperty('value', 'To many')
    expect(screen.getByText('The recipients of this draft were too many to save')).toBeTruthy()
    expect(sendButton().textContent).toBe('Send notification')
  })
})

describe('a draft on two devices', () => {
  const begin = async () => {
    await open()
    await clock.fill(title(), 'Begun')
    await untilSaved()
  }

  it('opens in its newer version', async () => {
    await begin()
    cleanup()
    changeElsewhere('Continued elsewhere')
    await open()
    await clock.flush()
    expect(title()).toHaveProperty('value', 'Continued elsewhere')
    expect(conflict()).toBeNull()
  })

  it('that both have changed asks which one stays: the other one', async () => {
    await begin()
    changeElsewhere('Continued elsewhere')
    await clock.fill(title(), 'Continued here')
    await untilSaved()
    expect(conflict()).toBeTruthy()
    expect(savedDrafts.titles()).toEqual(['Continued elsewhere'])
    await press(screen.getByRole('button', { name: 'Use that version' }))
    expect(title()).toHaveProperty('value', 'Continued elsewhere')
    expect(conflict()).toBeNull()
    await clock.fill(title(), 'And once more')
    await untilSaved()
    expect(savedDrafts.titles()).toEqual(['And once more'])
  })

  it('that both have changed asks which one stays: this one', async () => {
    await begin()
    changeElsewhere('Continued elsewhere')
    await clock.fill(title(), 'Continued here')
    await untilSaved()
    await press(screen.getByRole('button', { name: 'Keep this one' }))
    await untilSaved()
    expect(savedDrafts.titles()).toEqual(['Continued here'])
    expect(title()).toHaveProperty('value', 'Continued here')
    expect(conflict()).toBeNull()
  })

  it('that was deleted elsewhere disappears, unless it was changed here', async () => {
    await begin()
    savedDrafts.discard(own()._id)
    cleanup()
    await open()
    await untilSaved()
    expect(title()).toHaveProperty('value', '')
    await clock.fill(title(), 'Another')
    await untilSaved()
    savedDrafts.discard(own()._id)
    await clock.fill(title(), 'Another, longer')
    await untilSaved()
    expect(title()).toHaveProperty('value', 'Another, longer')
    expect(savedDrafts.titles()).toEqual(['Another, longer'])
  })
})

describe('after a send', () => {
  it('the draft is gone on this device and on the server, also if it goes out without a tab', async () => {
    await open()
    await writeToTwo()
    await untilSaved()
    await confirmSend()
    await sendNow()
    await untilSaved()
    expect(savedDrafts.titles()).toEqual([])
    expect(title()).toHaveProperty('value', '')

    await writeToTwo()
    await confirmSend()
    cleanup()
    await clock.flush()
    expect(savedDrafts.titles()).toEqual([' The hall is closed '])
    const { id } = aCampaign(4)
    heldSends.send(id)
    const lists = { actions: [], remindedBy: [], firstHour: [], byDay: [] }
    const details = { campaign: aCampaign(4), resendable: 0, resendsLeft: 4, ...lists }
    server.on(`GET /notifications/${id}/campaign`, () => ok(details))
    await anotherDevice()
    await untilSaved()
    expect(title()).toHaveProperty('value', '')
    expect(savedDrafts.titles()).toEqual([])
  })

  it('that was taken back, the draft is still there', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    await press(screen.getByRole('button', { name: 'Undo' }))
    await anotherDevice()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
  })
})

describe('the list of drafts', () => {
  const begin = async (...titles: string[]) => {
    await open()
    for (const [index, text] of titles.entries()) {
      if (index > 0) await press((await drafts()).getByRole('button', { name: 'New draft' }))
      await clock.advance(500)
      await clock.fill(title(), text)
      await untilSaved()
    }
  }

  it('has all of them, opens another one, and begins a new one', async () => {
    await begin('First', 'Second')
    expect(savedDrafts.titles()).toEqual(['Second', 'First'])
    await press((await drafts()).getByRole('button', { name: 'Open First' }))
    await clock.advance(500)
    expect(title()).toHaveProperty('value', 'First')
    await anotherDevice()
    expect(title()).toHaveProperty('value', 'Second')
    await press((await drafts()).getByRole('button', { name: 'Open First' }))
    await clock.advance(500)
    expect(title()).toHaveProperty('value', 'First')
    await untilSaved()
    expect(savedDrafts.titles()).toEqual(['Second', 'First'])
  })

  it('is renamed in the open list when another device saves it', async () => {
    await open()
    await writeToTwo()
    await untilSaved()
    const list = await drafts()
    changeElsewhere('Of the phone')
    live.emit('drafts:changed', { draftId: own()._id })
    await clock.advance(1_500)
    expect(list.getByRole('button', { name: 'Open Of the phone' })).toBeTruthy()
  })

  it('deletes one after a question', async () => {
    await begin('First', 'Second')
    const list = await drafts()
    await press(list.getByRole('button', { name: 'Delete Second' }))
    await press(
      within(screen.getByRole('dialog', { name: 'Delete the draft “Second”?' })).getByRole('button', {
        name: 'Delete',
      }),
    )
    await clock.advance(500)
    expect(savedDrafts.titles()).toEqual(['First'])
    expect(title()).toHaveProperty('value', '')
    await press(list.getByRole('button', { name: 'Close' }))
    await clock.advance(500)
    await untilSaved()
    expect(savedDrafts.titles()).toEqual(['First'])
  })
})
