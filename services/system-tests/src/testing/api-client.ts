import { randomUUID } from 'node:crypto'
import * as auth from '@portal/contracts/auth/http'
import { initiateRegistration, verifyRegistration } from '@portal/contracts/auth/http'
import * as notifications from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader, buildUrl, type AnyRoute } from '@portal/contracts/shared/route'
import type { z } from 'zod'
import { readDevMailbox } from './portal-process.ts'

type Answer = { readonly status: number; readonly body: unknown }

/**
 * Calls a route as the client does, with a key for each change, and parses the response with its schema, so that a wrong shape fails
 * the test.
 */
export const callRoute = async <R extends AnyRoute>(
  address: string,
  route: R,
  options: {
    readonly token?: string
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string | number>>
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<z.output<R['response']>> => {
  const path = buildUrl(route, options)
  const headers = { ...(route.method !== 'GET' && { [idempotencyKeyHeader]: randomUUID() }), ...options.headers }
  const answer = await send(address, route.method, path, { ...options, headers })
  if (answer.status >= 300) throw new Error(`${route.method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return route.response.parse(answer.body) as z.output<R['response']> // the output type of this schema
}

/** Sends a raw request, for input that the contracts reject. */
export const send = async (
  address: string,
  method: string,
  path: string,
  options: {
    readonly token?: string
    readonly body?: unknown
    readonly rawBody?: string
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Answer> => {
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

export type SignedIn = { readonly userId: string; readonly token: string; readonly email: string }

export const logIn = async (address: string, email: string, password: string): Promise<SignedIn> => {
  const { data } = await callRoute(address, auth.logIn, { body: { personalEmail: email, password } })
  return { userId: data.user._id, token: data.token, email }
}

export const seededEmail = (number: number) => `learner-${String(number).padStart(4, '0')}@example.com`

/** Ids of the seeded learners by e-mail address. */
export const userIdsByEmail = async (address: string, adminToken: string): Promise<ReadonlyMap<string, string>> => {
  const { users } = await callRoute(address, auth.listUsers, { token: adminToken })
  return new Map(users.map((user) => [user.personalEmail, user._id]))
}

/** Reads the whole inbox of a user page by page, newest first. */
export const wholeInbox = async (address: string, token: string) => {
  const items = []
  for (let page = 1; ; page++) {
    const answer = await callRoute(address, notifications.listNotifications, { token, query: { page, limit: 100 } })
    items.push(...answer.notifications)
    if (page >= answer.pagination.totalPages) return { items, unread: answer.unread, seq: answer.seq }
  }
}

export const registeredPassword = 'Correct-horse1'

type Portal = { readonly address: string; readonly dataDir: string }

/** Registers with the code from the dev mailbox. */
export const registerLearner = async ({ address, dataDir }: Portal, number: number): Promise<SignedIn> => {
  const email = `learner-${number}@example.com`
  const mobileNumber = String(9_000_000_000 + number)
  const details = {
    fullName: `Learner ${number}`,
    personalEmail: email,
    mobileNumber,
    universityName: 'Eastbrook University',
  }
  await callRoute(address, initiateRegistration, { body: { ...details, password: registeredPassword } })
  const code = (await readDevMailbox(dataDir)).find(({ to }) => to === email)?.code
  if (code === undefined) throw new Error(`no code was sent to ${email}`)
  await callRoute(address, verifyRegistration, { body: { email, mobileNumber, otpEmail: code } })
  return logIn(address, email, registeredPassword)
}
