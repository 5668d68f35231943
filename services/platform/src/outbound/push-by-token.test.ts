import { describe, expect, it } from 'vitest'
import type { PushOutcome, PushSender } from './port.ts'
import { pushByToken } from './push-by-token.ts'

const message = { notificationId: 'n1', title: 'Exam', body: 'On Monday', url: '/notification/n1', type: 'Exam' }

const senderOf = (send: (tokens: readonly string[]) => Promise<readonly PushOutcome[]>) => {
  const calls: (readonly string[])[] = []
  const sender: PushSender = {
    send: (tokens) => {
      calls.push(tokens)
      return send(tokens)
    },
    close: async () => undefined,
  }
  return { calls, sender }
}
const accepting = () => senderOf(async (tokens) => tokens.map(() => ({ kind: 'accepted' })))
const gone = () => senderOf(async (tokens) => tokens.map(() => ({ kind: 'unregistered' })))
const down = () => senderOf(() => Promise.reject(new Error('down')))

describe('a push by token', () => {
  it('goes to the provider of each token, with the outcomes in the order of the tokens', async () => {
    const [web, fcm] = [gone(), accepting()]
    const { send } = pushByToken({ webPush: web.sender, others: fcm.sender })
    expect(await send(['webpush:a', 'b', 'webpush:c', 'd'], message)).toEqual([
      { kind: 'unregistered' },
      { kind: 'accepted' },
      { kind: 'unregistered' },
      { kind: 'accepted' },
    ])
    expect([web.calls, fcm.calls]).toEqual([[['webpush:a', 'webpush:c']], [['b', 'd']]])
  })
  it('does not call a provider without a token', async () => {
    const [web, fcm] = [accepting(), accepting()]
    const { send } = pushByToken({ webPush: web.sender, others: fcm.sender })
    await send(['b'], message)
    await send(['webpush:a'], message)
    expect([web.calls, fcm.calls]).toEqual([[['webpush:a']], [['b']]])
  })
  it('keeps what one provider has accepted if the other one fails', async () => {
    const { send } = pushByToken({ webPush: accepting().sender, others: down().sender })
    expect(await send(['webpush:a', 'b'], message)).toEqual([
      { kind: 'accepted' },
      { kind: 'unavailable', reason: 'provider unavailable' },
    ])
    await expect(send(['b'], message)).rejects.toThrow('down')
  })
})
