import type { ScheduledSend } from '@portal/contracts/notifications/scheduled-send'
import { momentInIndia } from '@portal/contracts/notifications/moment-in-india'
import { ok, problem } from '../../../testing/fake-portal.ts'
import type { FakeServer, ServerAnswer } from '../../../testing/fake-server.ts'
import { aCampaign } from './campaigns.ts'
import { userId } from './fake-audience.ts'

type Scheduled = Pick<ScheduledSend, 'title' | 'sendAt'> &
  Partial<Pick<ScheduledSend, 'missed' | 'version' | 'says' | 'changedBy'>> & { readonly content?: object }

const asha = { userId: userId(900), fullName: 'Asha Rao' }

/** A server with scheduled sends. New ones are `aCampaign(40)`, `aCampaign(41)` … */
export const serveScheduledSends = (server: FakeServer) => {
  const scheduled = new Map<string, Scheduled>()
  let added = 0

  const listed = (id: string, facts: Scheduled) => ({
    version: 1,
    says: 'Chosen by hand: 2 people',
    ...facts,
    notificationId: id,
    scheduledBy: asha,
    dueInMs: Date.parse(facts.sendAt) - Date.now(),
  })
  const changed = (id: string, body: unknown, version: number) => {
    const { sendAt, title } = Object(body)
    scheduled.set(id, { sendAt, title, version, content: Object(body) })
    const message = `Scheduled for ${momentInIndia(Date.parse(sendAt))}`
    return ok({ message, notificationId: id, scheduledFor: sendAt, version, targeted: 2, successCount: 0 })
  }

  const add = (id: string, facts: Scheduled): void => {
    scheduled.set(id, facts)
    const path = `/notifications/scheduled/${id}`
    server.on(`GET ${path}`, () => {
      const known = scheduled.get(id)
      if (!known) return problem(404, 'not-found', 'Notification not found')
      const { title, sendAt, version = 1, content } = known
      const text = { title, message: 'The hall is closed', type: 'Exam', userIds: [] }
      return ok({ scheduled: { ...text, ...content, sendAt, version } })
    })
    server.on(`PUT ${path}`, ({ body }) => {
      const { version = 1 } = scheduled.get(id) ?? {}
      if (Object(body).version === version) return changed(id, body, version + 1)
      const message = 'Another admin has changed this scheduled notification. Please look at it again'
      return problem(409, 'conflict', message)
    })
    server.on(`POST ${path}/send`, () => {
      if (!scheduled.delete(id)) return problem(409, 'conflict', 'This scheduled notification was discarded')
      const message = 'Notification sent successfully to 0 devices'
      return ok({ message, notificationId: id, successCount: 0, targeted: 2 })
    })
    server.on(`DELETE ${path}`, () => {
      scheduled.delete(id)
      return ok({ message: 'Discarded. Nobody has got it.' })
    })
  }

  server.on('GET /notifications/scheduled', () =>
    ok({ scheduled: [...scheduled].map(([id, facts]) => listed(id, facts)) }),
  )
  return {
    add,
    remove: (id: string): void => void scheduled.delete(id),
    /** Answers POST /notifications/send. */
    onSchedule: ({ body }: { readonly body: unknown }): ServerAnswer => {
      const { id } = aCampaign(40 + added++)
      add(id, { title: '', sendAt: '' })
      return changed(id, body, 1)
    },
    titles: () => [...scheduled.values()].map(({ title }) => title),
  }
}
