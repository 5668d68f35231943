import { act, cleanup, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { startSession } from '../../../lib/session.ts'
import { ok } from '../../../testing/fake-portal.ts'
import { limits } from '@portal/contracts/shared/rules'
import {
  admin,
  clock,
  confirmSend,
  heldSends,
  hold,
  keyOf,
  live,
  open,
  press,
  send,
  sendButton,
  sent,
  server,
  setUpSendPage,
  title,
  writeToTwo,
} from './testing/send-page.tsx'

setUpSendPage()

describe('a confirmed send', () => {
  const timer = () => screen.getByRole('timer').textContent

  const sendCalls = () => server.requestsTo(`POST /notifications/held/${aCampaign(3).id}/send`)
  const devices = 'Notification sent successfully to 2 devices'

  it('[C-15] reaches the server at once, which holds it for eight seconds, counted down; they allow no test', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    expect(sent()).toHaveLength(1)
    expect(timer()).toBe('Sending to 2 people in 8 s')
    expect(document.activeElement).toBe(hold().getByRole('button', { name: 'Undo' }))
    expect(hold().getByRole('button', { name: 'Send now' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Send me a test' })).toBeNull()
    await clock.advance(3_000)
    expect(timer()).toBe('Sending to 2 people in 5 s')
    await clock.advance(4_499)
    expect(sendCalls()).toEqual([])
    await clock.advance(1)
    expect(sendCalls()).toHaveLength(1)
    expect(screen.getByText(devices)).toBeDefined()
    expect(screen.queryByRole('group', { name: 'Sending' })).toBeNull()
    expect(document.activeElement).toBe(sendButton())
    expect(title()).toHaveProperty('value', '')
    await clock.advance(20_000)
    expect(sendCalls()).toHaveLength(1)
    expect(sent()).toHaveLength(1)
  })

  it('[C-15] can be undone by the button and by Alt+Z, which keeps the draft, and is then sent as another one', async () => {
    await open()
    await writeToTwo()
    for (const undo of [
      () => press(hold().getByRole('button', { name: 'Undo' })),
      () => clock.user.keyboard('{Alt>}z{/Alt}'),
    ]) {
      await confirmSend()
      await undo()
      await clock.advance(20_000)
      expect(title()).toHaveProperty('value', ' The hall is closed ')
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Send to 2 users' }))
    }
    await send()
    expect(screen.getByText(devices)).toBeDefined()
    expect(new Set([keyOf(0), keyOf(1), keyOf(2)]).size).toBe(3)
  })

  it('is shown in every tab of the admin with its title, which can take it back, and learns how it ended', async () => {
    await open()
    const [first, second] = [aCampaign(21).id, aCampaign(22).id]
    const tell = async (notificationId: typeof first, state: 'held' | 'sent' | 'taken-back') => {
      live.emit('held:changed', { notificationId, state })
      await clock.flush()
    }
    heldSends.add(first, 'Exam moved', 5_000)
    await tell(first, 'held')
    expect(timer()).toBe('Sending “Exam moved” to 2 people in 5 s')
    expect(document.activeElement).toBe(document.body)
    heldSends.takeBack(first)
    await tell(first, 'taken-back')
    expect(screen.queryByRole('timer')).toBeNull()

    heldSends.add(second, 'Fees', 5_000)
    await tell(second, 'held')
    heldSends.send(second)
    await tell(second, 'sent')
    expect(screen.queryByRole('timer')).toBeNull()
    expect(screen.getByText(devices)).toBeDefined()
    // The form was not about them.
    expect(sendButton()).toBeDefined()
  })

  it('is found by a tab that connects after it was confirmed elsewhere', async () => {
    await open()
    heldSends.add(aCampaign(21).id, 'Exam moved', 600_000)
    live.reconnect()
    await clock.flush()
    expect(timer()).toMatch(/^Sending “Exam moved” to 2 people/)
  })

  it('is not shown to the next admin in the same tab', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    await press(screen.getByRole('link', { name: 'Leave' }))
    server.on('GET /notifications/held', () => ok({ held: [] }))
    act(() => startSession({ user: { ...admin, _id: userId(901) }, token: 'token-2' }))
    await press(screen.getByRole('link', { name: 'Return' }))
    expect(screen.queryByRole('timer')).toBeNull()
  })

  it('is still there after a reload, with its draft, as nothing of it was in the page', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    cleanup()
    await open()
    expect(timer()).toMatch(/^Sending to 2 people in [78] s$/)
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    await press(hold().getByRole('button', { name: 'Undo' }))
    expect(sendButton().textContent).toBe('Send to 2 users')
  })

  it('says so when it was too late to undo it, when it came too late, and when the server cannot be reached', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    heldSends.send(aCampaign(3).id)
    await press(hold().getByRole('button', { name: 'Undo' }))
    expect(screen.getByText(devices)).toBeDefined()
    expect(screen.queryByRole('timer')).toBeNull()

    heldSends.answerWith(() => 'unreachable')
    await writeToTwo()
    await confirmSend()
    await clock.advance(8_000)
    expect(timer()).toBe('No connection. The portal sends it to 2 people without this page.')
    heldSends.answerWith((id) => ok({ notificationId: id, successCount: 0, targeted: 2, message: 'Sent meanwhile' }))
    heldSends.send(aCampaign(4).id)
    live.disconnect()
    live.reconnect()
    await clock.flush()
    expect(screen.getByText('Sent meanwhile')).toBeDefined()

    heldSends.add(aCampaign(30).id, 'Of yesterday', -limits.sendLatenessMs - 1_000)
    live.emit('held:changed', { notificationId: aCampaign(30).id, state: 'held' })
    await clock.flush()
    await clock.advance(20_000)
    expect(timer()).toBe('“Of yesterday” to 2 people was not sent in time.')
    expect(server.requestsTo(`POST /notifications/held/${aCampaign(30).id}/send`)).toEqual([])
  })
})
