import { idempotencyKeyHeader, buildUrl, repeatsSafely, type AnyRoute } from '@portal/contracts/shared/route'
import { unattendedHeader } from '@portal/contracts/shared/unattended'
import { networkErrorMessage, problemSchema, type Problem } from '@portal/contracts/shared/problem'
import type { z } from 'zod'
import { attendance } from './attendance.ts'
import { takeEarlyAnswer } from './early-answer.ts'
import { nextTask } from './next-task.ts'
import { isLeavingPage } from './pending-work.ts'
import { randomHex, randomKey } from './random-hex.ts'
import { learnServerTime } from './server-clock.ts'
import { currentSession, endSession } from './session.ts'

/** A failed call. `message` is a text for users, from the server if it sent one. */
export type Failure = Pick<Problem, 'success' | 'message'> &
  Partial<Omit<Problem, 'success' | 'message'>> & { readonly isNetworkError?: true; readonly isAborted?: true }

export type Answer<T> = { readonly success: true; readonly data: T } | Failure

/** Requires a part of the input only if the route has it. */
type Part<Name extends string, Schema extends z.ZodType> =
  unknown extends z.input<Schema> ? { readonly [key in Name]?: undefined } : { readonly [key in Name]: z.input<Schema> }

type Options = {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The page may be closed at any moment. Has no effect on long bodies. */
  readonly outlivesPage?: boolean
}

export type CallInput<R extends AnyRoute> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  Part<'body', R['body']> &
  Options

type LooseInput = Options & { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }

const timeoutMs = 20_000

const networkFailure: Failure = { success: false, message: networkErrorMessage, isNetworkError: true }
const ownFailure: Failure = { success: false, message: 'Something went wrong on this page. Reload it and try again.' }

/** No answer, or not in time. */
class NetworkError extends Error {}

/** Rejects with a NetworkError if the network does not deliver, so that no fault of the portal is taken for one of the connection. */
export const overNetwork = async <T>(delivery: Promise<T>): Promise<T> => {
  try {
    return await delivery
  } catch (error) {
    throw error instanceof SyntaxError ? error : new NetworkError('The network delivered no answer', { cause: error })
  }
}

/** What users read of an error that a call rejected with. */
export const failureFrom = (route: string, error: unknown): Failure => {
  if (!(error instanceof NetworkError)) {
    console.error(`${route} failed`, error)
    return ownFailure
  }
  console.warn(`${route} failed without a response`, error.cause)
  return networkFailure
}

/** Starts a trace in the browser. The server decides whether to sample it. */
const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`

/**
 * Actions whose outcome is unknown, with their keys. A repetition by the user within a minute is the same action, unless another
 * one was answered in between.
 */
const unanswered = new Map<string, { readonly key: string; readonly at: number }>()
const maxUnanswered = 20
const unansweredMs = 60_000

/** With this key the server carries out a change once, although a browser or a proxy may repeat the request by itself. */
const keyOf = (action: string): string => {
  const now = Date.now()
  for (const [known, { at }] of unanswered)
    if (now - at > unansweredMs || unanswered.size >= maxUnanswered) unanswered.delete(known)
  const { key } = unanswered.get(action) ?? { key: randomKey() }
  unanswered.set(action, { key, at: now })
  return key
}

/** Browsers reject longer bodies of requests that outlive their page. The rest of their 64 kB is for other requests. */
const maxKeepaliveChars = 48_000

const requestOf = (route: AnyRoute, input: LooseInput, token: string | undefined): RequestInit => {
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const mustOutlive = input.outlivesPage === true || isLeavingPage()
  const outlivesPage = mustOutlive && route.method !== 'GET' && (body?.length ?? 0) <= maxKeepaliveChars
  return {
    method: route.method,
    credentials: 'include',
    headers: {
      // Pages and API routes share addresses. This header selects the API.
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(route.method === 'GET' ? {} : { traceparent: newTraceparent() }),
      ...(token !== undefined && !attendance.isAttended() && { [unattendedHeader]: '1' }),
      ...input.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(outlivesPage && { keepalive: true }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(input.signal ? [input.signal] : [])]),
  }
}

/** A proxy in front of the portal answers with its own pages. */
const proxyMessages: ReadonlyMap<number, string> = new Map([
  [413, 'This is more than the server accepts at once. Send it in several parts.'],
])

export const failureOf = (status: number, body: unknown): Failure => {
  const problem = problemSchema.safeParse(body)
  if (problem.success) return problem.data
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  return {
    success: false,
    message:
      typeof message === 'string'
        ? message
        : (proxyMessages.get(status) ?? `The server answered with status ${status}`),
  }
}

const noContent = { success: true, message: '' }

const bodyOf = async (response: Response): Promise<{ readonly json: unknown } | null> => {
  if (response.status === 204) return { json: noContent }
  try {
    return { json: await overNetwork(response.json()) }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const send = async (route: AnyRoute, input: LooseInput): Promise<Answer<unknown>> => {
  const session = currentSession()
  // A page starts several requests in one task, and a phone needs up to 6 ms for each. An early answer would also be shown in it.
  if (route.method === 'GET') await nextTask()
  const address = buildUrl(route, input)
  const early = route.method === 'GET' ? takeEarlyAnswer(address, session?.token) : undefined
  const earlyAnswer = early && route.response.safeParse(await early)
  if (earlyAnswer?.success) return { success: true, data: earlyAnswer.data }
  const action = repeatsSafely(route) ? undefined : JSON.stringify([route.method, address, input.body])
  const headers = { ...(action !== undefined && { [idempotencyKeyHeader]: keyOf(action) }), ...input.headers }
  if (session && attendance.isAttended()) attendance.sessionIsUsed()
  const requestedAtMs = Date.now()
  const response = await overNetwork(fetch(address, requestOf(route, { ...input, headers }, session?.token)))
  // No cache keeps an answer of the API, so its time is the current one.
  learnServerTime(response.headers.get('date'), requestedAtMs)
  if (action !== undefined && response.status < 500) unanswered.clear()
  // On a public route, a 401 means wrong credentials. On other routes, it ends the session that sent the request.
  const isSessionOver = response.status === 401 && route.access !== 'public'
  if (isSessionOver && session && session.token === currentSession()?.token) endSession('ended')
  const body = await bodyOf(response)
  if (!response.ok) return failureOf(response.status, body?.json)
  if (!body) return { success: false, message: 'The server sent an answer that is not JSON' }
  const parsed = route.response.safeParse(body.json)
  if (parsed.success) return { success: true, data: parsed.data }
  console.error(`unexpected response from ${route.method} ${route.path}`, parsed.error)
  return { success: false, message: 'The server sent an unexpected answer' }
}

/**
 * Calls a route of the contracts. A failure is returned, not thrown. A 401 ends the session, and the router shows the
 * login page.
 */
export const call = async <R extends AnyRoute>(
  route: R,
  input: CallInput<R>,
): Promise<Answer<z.output<R['response']>>> => {
  try {
    // `send` has parsed the data with this route's response schema.
    return (await send(route, input as LooseInput)) as Answer<z.output<R['response']>>
  } catch (error) {
    if (input.signal?.aborted) return { success: false, message: 'The call was aborted', isAborted: true }
    return failureFrom(`${route.method} ${route.path}`, error)
  }
}
