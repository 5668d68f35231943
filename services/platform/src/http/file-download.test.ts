import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineRoute } from '@portal/contracts/shared/route'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { ok, rejected } from '../decider/decider.ts'
import { makeBindRoute } from './bind-route.ts'
import { createHttpApp } from './create-app.ts'
import { FileDownload } from './file-download.ts'
import { apiErrors } from './problem.ts'

const table = defineRoute({
  method: 'GET',
  path: '/table.csv',
  access: 'public',
  summary: 'A table',
  query: z.object({ rows: z.coerce.number() }),
  contentType: 'text/csv; charset=utf-8',
  response: z.string(),
})

let app: FastifyInstance
let produced: number
let ended: boolean
let begun: number

const unlucky = 13
const begin = (rows: number) => async () => {
  if (rows === unlucky) throw new Error('the export could not be recorded')
  begun += 1
}

async function* rowsUpTo(count: number) {
  try {
    for (; produced < count; produced++) yield `row ${produced} ${'x'.repeat(1_000)}\n`
  } finally {
    ended = true
  }
}

beforeEach(() => {
  ;[produced, ended, begun] = [0, false, 0]
  app = createHttpApp({ logger: pino({ level: 'silent' }) })
  const bind = makeBindRoute({ sessions: { verify: async () => undefined }, validateResponses: true })
  bind(app, table, async ({ query: { rows } }) =>
    rows > 0 ? ok(new FileDownload('table.csv', rowsUpTo(rows), begin(rows))) : rejected(apiErrors.forbidden),
  )
})
afterEach(() => app.close())

it('is sent as an attachment with the content type of its route', async () => {
  const answer = await app.inject('/table.csv?rows=3')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="table.csv"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.body.split('\n').map((line) => line.slice(0, 5))).toEqual(['row 0', 'row 1', 'row 2', ''])
})

it('can be rejected with a problem before it begins', async () => {
  const answer = await app.inject('/table.csv?rows=0')
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'forbidden' }])
})

it('is neither begun nor produced for a HEAD request, which gets the same headers', async () => {
  const answer = await app.inject({ method: 'HEAD', url: '/table.csv?rows=3' })
  expect([answer.statusCode, answer.body]).toEqual([200, ''])
  expect([produced, begun]).toEqual([0, 0])
  const { headers } = await app.inject('/table.csv?rows=3')
  const { 'transfer-encoding': _, ...ofBoth } = headers
  expect(Object.keys(answer.headers).toSorted()).toEqual(Object.keys(ofBoth).toSorted())
  expect((await app.inject({ method: 'HEAD', url: '/table.csv?rows=0' })).statusCode).toBe(403)
})

it('begins before the first byte, and a failure is an error of the request', async () => {
  await app.inject('/table.csv?rows=3')
  expect(begun).toBe(1)
  expect((await app.inject(`/table.csv?rows=${unlucky}`)).statusCode).toBe(500)
  expect(produced).toBe(3)
})

it('is produced only as fast as the client reads, and ends when the client goes away', async () => {
  const rows = 1_000_000
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  const answer = await fetch(`${address}/table.csv?rows=${rows}`, { signal: leaving.signal })
  const reader = answer.body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  // Rows that nothing holds back are produced in every turn of the event loop, up to the last.
  let waiting = -1
  for (let idleTurns = 0; idleTurns < 100; idleTurns++) {
    if (produced !== waiting) idleTurns = 0
    waiting = produced
    await nextTurn()
  }
  expect(waiting).toBeLessThan(rows / 10)
  while (produced === waiting) await reader?.read()
  leaving.abort()
  await expect.poll(() => ended).toBe(true)
  expect(produced).toBeLessThan(rows)
})

it('needs a file name that the header can carry unquoted', () => {
  for (const name of ['', 'a"b.csv', 'a b.csv', '../a.csv\r\nx: y', 'ä.csv'])
    expect(() => new FileDownload(name, rowsUpTo(1))).toThrow(TypeError)
})
