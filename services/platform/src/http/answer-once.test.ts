import { defineRoute, doneSchema, routeError } from '@portal/contracts/shared/route'
import { requiredText } from '@portal/contracts/shared/rules'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ok, rejected } from '../decider/decider.ts'
import { createMemoryAnswers } from '../idempotency/memory.ts'
import type { RememberedAnswers } from '../idempotency/port.ts'
import { makeBindRoute } from './bind-route.ts'
import { createHttpApp } from './create-app.ts'

const add = defineRoute({
  method: 'POST',
  path: '/things/:place',
  access: 'public',
  summary: 'Add a thing',
  params: z.object({ place: z.string() }),
  body: z.object({ name: requiredText('Name', 20) }),
  response: doneSchema,
  errors: [
    routeError('conflict', 'There is one'),
    routeError('too-many-requests', 'Too often'),
    routeError('unauthenticated', 'Wrong name'),
  ],
})
const count = defineRoute({ ...add, path: '/counts', summary: 'Count', params: z.unknown(), repetition: 'harmless' })

const users = { ada: '1', ben: '2' } as const
const sessions = {
  verify: async (token: string) => ({
    sessionId: sessionIdSchema.parse('0192f000-0000-7000-8000-000000000001'),
    userId: userIdSchema.parse(`0192f000-0000-7000-8000-00000000000${token === 'ada' ? users.ada : users.ben}`),
    role: 'student' as const,
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  }),
}

let handled: string[]
let remembered: string[]
let answers: RememberedAnswers
/** The handler waits for it. */
let gate: Promise<void>

const startProcess = () => {
  const app = createHttpApp({ logger: pino({ level: 'silent' }) })
  const bind = makeBindRoute({ sessions, validateResponses: true, answers })
  const handle = async ({
    body,
    reply,
  }: {
    body: { name: string }
    reply: { header(n: string, v: string): unknown }
  }) => {
    handled.push(body.name)
    await gate
    if (body.name === 'broken') throw new Error('broken')
    if (body.name === 'taken') return rejected({ code: 'conflict', message: 'There is one' } as const)
    if (body.name === 'often') return rejected({ code: 'too-many-requests', message: 'Too often' } as const)
    if (body.name === 'busy') return rejected({ code: 'unavailable', message: 'Busy' } as const)
    if (body.name === 'wrong')
      return rejected({ code: 'unauthenticated', message: 'Wrong name', errors: { name: 'Wrong' } } as const)
    reply.header('set-cookie', `session=${body.name}-${handled.length}`)
    return ok({ success: true as const, message: `${body.name} is number ${handled.length}` })
  }
  bind(app, add, handle)
  bind(app, count, handle)
  return app
}

let one: ReturnType<typeof startProcess>
let other: ReturnType<typeof startProcess>
beforeEach(() => {
  handled = []
  remembered = []
  gate = Promise.resolve()
  const memory = createMemoryAnswers()
  answers = {
    ...memory,
    remember: async (id, answer) => {
      remembered.push(id, answer)
      await memory.remember(id, answer)
    },
  }
  ;[one, other] = [startProcess(), startProcess()]
})

type Ask = { readonly name?: string; readonly key?: string; readonly as?: string; readonly url?: string }
const ask = (app: typeof one, { name = 'a', key = 'key-1', as, url = '/things/here' }: Ask = {}) =>
  app.inject({
    method: 'POST',
    url,
    payload: { name },
    headers: { ...(key !== '' && { 'idempotency-key': key }), ...(as && { authorization: `Bearer ${as}` }) },
  })
const seen = ({ statusCode, body, headers }: Awaited<ReturnType<typeof ask>>) => {
  const { 'x-request-id': _, ...known } = headers
  return [statusCode, body, String(known['set-cookie'])]
}

describe('a request with a key', () => {
  it('is carried out once, however often it arrives at once or later, at any process, with the same answer and cookie', async () => {
    let open = (): void => undefined
    gate = new Promise((resolve) => (open = resolve))
    const asked = [one, other, one, other].map((app) => ask(app))
    open()
    const given = (await Promise.all(asked)).map(seen)
    given.push(seen(await ask(other)))
    expect(handled).toEqual(['a'])
    for (const answer of given) expect(answer).toEqual(given[0])
    expect(given[0]?.[2]).toMatch(/^session=a/)
  })

  it('is another action with another key, of another user or at another address, and without a key', async () => {
    for (const some of [{}, { key: 'key-2' }, { as: 'ada' }, { as: 'ben' }, { url: '/things/there' }])
      await ask(one, some)
    expect(handled).toHaveLength(5)
    await ask(one, { key: '' })
    await ask(one, { key: '' })
    expect(handled).toHaveLength(7)
  })

  it('is a conflict with another body', async () => {
    await ask(one)
    const answer = await ask(other, { name: 'b' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ message: 'This Idempotency-Key was used for another request' })
    expect(handled).toEqual(['a'])
  })

  it('has a decision as its answer, too, but not a failure, nor a limit, which may be over a moment later', async () => {
    for (const [name, status, times] of [
      ['taken', 409, 1],
      ['wrong', 401, 1],
      ['often', 429, 2],
      ['busy', 503, 2],
      ['broken', 500, 2],
    ] as const) {
      const textOf = ({ body }: typeof first) => body.replaceAll(/"requestId":"[^"]*"/g, '')
      handled = []
      const [first, second] = [await ask(one, { name, key: name }), await ask(other, { name, key: name })]
      expect([first.statusCode, second.statusCode, handled.length]).toEqual([status, status, times])
      expect(textOf(second)).toBe(textOf(first))
    }
  })

  it('is not remembered where a repetition does no harm, and an invalid key is rejected', async () => {
    await ask(one, { url: '/counts' })
    await ask(one, { url: '/counts' })
    expect(handled).toHaveLength(2)
    expect(remembered).toEqual([])
    const answer = await ask(one, { key: 'with a space' })
    expect(answer.json()).toMatchObject({ message: 'Idempotency-Key must be 1 to 128 visible ASCII characters' })
  })

  it('leaves neither its key nor its answer readable in the memory', async () => {
    await ask(one, { name: 'secret' })
    expect(remembered).toHaveLength(2)
    for (const text of remembered) {
      const decoded = `${text} ${Buffer.from(text, 'base64').toString('latin1')}`
      for (const known of ['secret', 'key-1', 'message', 'session']) expect(decoded).not.toContain(known)
    }
  })
})
