import { ok, problem } from '../../../testing/fake-portal.ts'
import type { FakeServer, ServerAnswer } from '../../../testing/fake-server.ts'
import { limits } from '@portal/contracts/shared/rules'
import { aCampaign } from './campaigns.ts'

type Held = { readonly title: string; readonly targeted: number; readonly dueAt: number }

/** A server that holds confirmed sends. It is `aCampaign(3)`, `aCampaign(4)` … whose keys come one after the other. */
export const serveHeldSends = (server: FakeServer, targeted = 2) => {
  const held = new Map<string, Held>()
  const keys: string[] = []
  const takenBack = new Set<string>()
  const sent = new Map<string, ServerAnswer>()
  /** How the next sends end. */
  let sendAnswer = (id: string): ServerAnswer =>
    ok({ notificationId: id, successCount: 2, targeted, message: 'Notification sent successfully to 2 devices' })

  const listed = (id: string, { dueAt, ...facts }: Held) => ({
    notificationId: id,
    ...facts,
    dueInMs: dueAt - Date.now(),
  })

  const add = (id: string, facts: Held) => {
    held.set(id, facts)
    server.on(`POST /notifications/held/${id}/send`, () => {
      if (takenBack.has(id)) return problem(409, 'conflict', 'This notification was taken back before it was sent')
      const known = sent.get(id)
      if (known) return known
      const answer = sendAnswer(id)
      if (answer === 'unreachable') return answer
      held.delete(id)
      sent.set(id, answer)
      return answer
    })
    server.on(`DELETE /notifications/held/${id}`, () => {
      if (sent.has(id)) return problem(409, 'conflict', 'This notification was already sent')
      held.delete(id)
      takenBack.add(id)
      return ok({ message: 'Taken back. Nobody has got it.' })
    })
  }

  const onHold = ({ headers, body }: { readonly headers: Headers; readonly body: unknown }): ServerAnswer => {
    const key = headers.get('idempotency-key') ?? ''
    if (!keys.includes(key)) keys.push(key)
    const id = aCampaign(keys.indexOf(key) + 3).id
    if (takenBack.has(id)) return problem(409, 'conflict', 'This notification was taken back before it was sent')
    const { title } = Object(body)
    const facts = held.get(id) ?? { title, targeted, dueAt: Date.now() + (sent.has(id) ? 0 : limits.sendHoldMs) }
    if (!sent.has(id)) add(id, facts)
    return ok(listed(id, facts))
  }
  server.on('POST /notifications/held', onHold)
  server.on('GET /notifications/held', () => ok({ held: [...held].map(([id, facts]) => listed(id, facts)) }))

  return {
    onHold,
    /** Held by another tab. */
    add: (id: string, title: string, dueInMs: number) => add(id, { title, targeted, dueAt: Date.now() + dueInMs }),
    /** The server itself sends or takes back. */
    send: (id: string) => {
      sent.set(id, sendAnswer(id))
      held.delete(id)
    },
    takeBack: (id: string) => {
      takenBack.add(id)
      held.delete(id)
    },
    answerWith: (answer: (id: string) => ServerAnswer) => {
      sendAnswer = answer
    },
  }
}
