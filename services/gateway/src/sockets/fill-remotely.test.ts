import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createMemoryInbox } from '@portal/gateway/testing/sockets/memory-inbox'
import { notificationIdOf, userIdOf } from '@portal/gateway/testing/sockets/socket-fixture'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createFillRemotely } from './fill-remotely.ts'

const ada = userIdOf(1)
const plain = { notificationId: notificationIdOf(1), title: 'Exam', message: '{{ }}', type: 'Exam' }
const personal = (n: number) =>
  ({ notificationId: notificationIdOf(n), title: 'For {{name}}', message: '{{code}}', hasPlaceholders: true }) as const

const listenTo = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** The notification as its recipient reads it. */
const readBy = async (id: ReturnType<typeof notificationIdOf>) => {
  const { arrive, reader } = createMemoryInbox()
  arrive(ada, id, 'MIN-2026-0001')
  const answer = await reader.changesSince(ada, 0, reader.epoch())
  const [change] = 'changes' in answer ? answer.changes : []
  return change?.kind === 'arrived' ? change.notification : undefined
}

it('reads translated texts, too, with their language', async () => {
  const { fill } = await start()
  const { notificationId } = personal(2)
  const translated = { ...plain, notificationId, translation: { lang: 'hi', title: 'परीक्षा', message: 'सोमवार को' } }
  expect(await fill(ada, [translated])).toMatchObject({ texts: [{ title: 'Notice 1', lang: 'hi' }] })
})

type Options = { readonly status?: number; readonly token?: string | undefined }
/** Answers as notifications does to the recipient. */
const start = async ({ status = 200, token }: Options = { token: 'session-of-ada' }) => {
  const asked: unknown[] = []
  const answers = new Map<string, unknown>()
  for (const id of [2, 3].map(notificationIdOf))
    answers.set(`/notifications/${id}`, { ...(await readBy(id)), lang: 'hi' })
  const notificationsUrl = await listenTo(({ url = '', headers: { authorization, ...headers } }, response) => {
    asked.push({ url, authorization, isUnattended: headers['x-unattended'] !== undefined })
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: true, notification: answers.get(url) }))
  })
  const logger = pino({ level: 'silent' })
  return { asked, ...createFillRemotely({ notificationsUrl, tokenOf: () => token, logger }) }
}

it('reads texts with placeholders as their recipient, and leaves the others alone', async () => {
  const { fill, asked } = await start()
  expect(await fill(ada, [plain, personal(2), personal(3)])).toMatchObject({
    isComplete: true,
    texts: [plain, { title: 'Notice 1', message: 'MIN-2026-0001' }, { notificationId: notificationIdOf(3) }],
  })
  expect(asked).toEqual(
    [2, 3].map((n) => ({
      url: `/notifications/${notificationIdOf(n)}`,
      authorization: 'Bearer session-of-ada',
      isUnattended: true,
    })),
  )
  expect(await fill(ada, [plain])).toMatchObject({ isComplete: true, texts: [plain] })
  expect(asked).toHaveLength(2)
})

it.each([
  ['the session has ended', { status: 401 }],
  ['the notification was withdrawn', { status: 404 }],
  ['no socket is open', { token: undefined }],
])('is incomplete while %s', async (_, options) => {
  const { fill } = await start({ token: 'session-of-ada', ...options })
  expect(await fill(ada, [personal(2)])).toMatchObject({ isComplete: false })
})

it('is incomplete while notifications does not answer, and with very many texts', async () => {
  const { fill, asked } = await start()
  expect(
    await fill(
      ada,
      Array.from({ length: 11 }, (_, n) => personal(n)),
    ),
  ).toMatchObject({ isComplete: false })
  expect(asked).toEqual([])
  const logger = pino({ level: 'silent' })
  const gone = createFillRemotely({ notificationsUrl: 'http://127.0.0.1:9', tokenOf: () => 'session', logger })
  expect(await gone.fill(ada, [personal(2)])).toMatchObject({ isComplete: false })
})
