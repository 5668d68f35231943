import { vi } from 'vitest'
import type { FakeAnswer } from './fake-portal.ts'

type ServerRequest = {
  readonly call: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: unknown
}

/** The answer to a request. 'unreachable' is a network failure. */
export type ServerAnswer = FakeAnswer | 'unreachable'
type Handler = (request: ServerRequest) => ServerAnswer | Promise<ServerAnswer>

/** Stubs `fetch` with one handler per route, and records the requests. */
export const fakeServer = () => {
  const requests: ServerRequest[] = []
  const handlers = new Map<string, Handler>()
  const patterns: (readonly [pattern: RegExp, handler: Handler])[] = []
  const handlerOf = (call: string) => handlers.get(call) ?? patterns.find(([pattern]) => pattern.test(call))?.[1]

  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://portal')
    const request = {
      call: `${init.method ?? 'GET'} ${url.pathname}`,
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    requests.push(request)
    const answer = (await handlerOf(request.call)?.(request)) ?? 'unreachable'
    if (answer === 'unreachable') throw new TypeError('Failed to fetch')
    return { ok: answer.status < 400, status: answer.status, headers: new Headers(), json: async () => answer.body }
  })

  return {
    requests,
    requestsTo: (call: string) => requests.filter((request) => request.call === call),
    on: (call: string, handler: Handler) => void handlers.set(call, handler),
    /** For addresses with ids that the client makes. */
    onMatch: (pattern: RegExp, handler: Handler) => void patterns.push([pattern, handler]),
    handlerOf: (call: string) => handlers.get(call),
  }
}
export type FakeServer = ReturnType<typeof fakeServer>

/** An answer that the test releases. */
export const deferredAnswer = () => {
  const { promise, resolve } = Promise.withResolvers<ServerAnswer>()
  return { handler: () => promise, release: resolve }
}
