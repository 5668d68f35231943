import { logOut } from '@portal/contracts/auth/http'
import { sendNotification } from '@portal/contracts/notifications/http'
import { catalogSocketEvents } from '@portal/contracts/catalog/socket'
import { socketEvents } from '@portal/contracts/notifications/socket'
import { io, type Socket } from 'socket.io-client'
import { callRoute, seededEmail } from '../testing/api-client.ts'
import { eventually } from '../testing/portal-process.ts'
import type { AuditPortal } from './audit-portal.ts'
import { createFailures, type Failures, type AuditResult } from './audit-result.ts'

const connectTimeoutMs = 5_000
/** Longer than any message of one send takes to arrive. */
const listenMs = 2_000

type Attempt = {
  readonly name: string
  readonly namespace?: string
  readonly auth?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly expected: 'connected' | 'refused'
}

const outcomeOf = async (socket: Socket): Promise<'connected' | 'refused'> => {
  if (socket.connected) return 'connected'
  const outcome = await new Promise<'connected' | 'refused'>((resolve) => {
    socket.once('connect', () => resolve('connected'))
    socket.once('connect_error', () => resolve('refused'))
    setTimeout(() => resolve('refused'), connectTimeoutMs).unref()
  })
  return outcome
}

const connect = (
  { address }: AuditPortal,
  { namespace = '/', auth = {}, headers = {} }: Omit<Attempt, 'name' | 'expected'>,
) =>
  io(`${address}${namespace}`, {
    auth: { ...auth },
    extraHeaders: { ...headers },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  })

const serverEvents = [...Object.values(socketEvents), ...Object.values(catalogSocketEvents)]

type Tokens = Readonly<Record<'student' | 'faculty' | 'admin' | 'ended' | 'stranger', string>>

const cookieOf = (token: string, origin?: string) => ({
  cookie: `portal_session=${token}`,
  ...(origin === undefined ? {} : { origin }),
})

const attemptsOf = ({ address }: AuditPortal, tokens: Tokens): readonly Attempt[] => [
  { name: 'anonymous', expected: 'refused' },
  { name: 'an empty token', auth: { token: '' }, expected: 'refused' },
  { name: 'a token of another type', auth: { token: { $ne: null } }, expected: 'refused' },
  { name: 'a made-up token', auth: { token: 'no.such.token' }, expected: 'refused' },
  { name: 'an ended session', auth: { token: tokens.ended }, expected: 'refused' },
  { name: 'a student', auth: { token: tokens.student }, expected: 'connected' },
  { name: 'a member of the faculty', auth: { token: tokens.faculty }, expected: 'connected' },
  { name: 'an admin', auth: { token: tokens.admin }, expected: 'connected' },
  { name: 'a cookie from the own origin', headers: cookieOf(tokens.student, address), expected: 'connected' },
  {
    name: 'a cookie from a foreign origin',
    headers: cookieOf(tokens.student, 'https://evil.example'),
    expected: 'refused',
  },
  { name: 'a cookie without an origin', headers: cookieOf(tokens.student), expected: 'refused' },
  ...['/admin', '/notifications', '/__proto__'].map((namespace): Attempt => ({
    name: `an admin in the namespace ${namespace}`,
    namespace,
    auth: { token: tokens.admin },
    expected: 'refused',
  })),
]

/** Sends to one learner: only this learner and admins may receive messages. */
const checkListeners = async (portal: AuditPortal, tokens: Tokens, failures: Failures): Promise<void> => {
  const listeners = (['student', 'stranger', 'faculty', 'admin'] as const).map((name) => {
    const socket = connect(portal, { auth: { token: tokens[name] } })
    const received: { readonly event: string; readonly text: string }[] = []
    for (const event of serverEvents)
      socket.on(event, (message: unknown) => void received.push({ event, text: JSON.stringify(message) }))
    return { name, socket, received }
  })
  for (const { socket } of listeners)
    if ((await outcomeOf(socket)) !== 'connected') failures.add('a listener was refused')
  const title = 'For one learner alone'
  const student = portal.userIds.get(seededEmail(1))
  await callRoute(portal.address, sendNotification, {
    token: tokens.admin,
    body: { userIds: [student], title, message: title, type: 'General' },
  })
  const hasReceived = (name: string, event: string, text: string) =>
    listeners.some(
      (listener) =>
        listener.name === name && listener.received.some((one) => one.event === event && one.text.includes(text)),
    )
  await eventually('the learner receives the send', () => hasReceived('student', socketEvents.inboxChanged, title))
  await eventually('the admin receives the progress of the send', () =>
    hasReceived('admin', socketEvents.campaignProgress, 'targeted'),
  )
  await new Promise((resolve) => setTimeout(resolve, listenMs))
  for (const { name, received } of listeners) {
    if (name !== 'student' && received.some(({ text }) => text.includes(title)))
      failures.add(`${name} received another's notification`)
    if (name !== 'admin' && received.some(({ event }) => event === socketEvents.campaignProgress))
      failures.add(`${name} received the progress of a send`)
  }
  for (const { socket } of listeners) socket.close()
}

/** Checks who may connect, and who receives which message. */
export const socketMatrix = async (portal: AuditPortal): Promise<AuditResult> => {
  const failures = createFailures()
  const tokens = {
    ...(await portal.logInEach()),
    ended: await portal.logIn('student'),
    stranger: await portal.logInLearner(2),
  }
  await callRoute(portal.address, logOut, { token: tokens.ended })
  const attempts = attemptsOf(portal, tokens)
  for (const { name, expected, ...attempt } of attempts) {
    const socket = connect(portal, attempt)
    const outcome = await outcomeOf(socket)
    socket.close()
    if (outcome !== expected) failures.add(`${name}: ${outcome}, not ${expected}`)
  }
  await checkListeners(portal, tokens, failures)
  return {
    name: 'sockets by role',
    tried: `${attempts.length} handshakes; one send with a socket of each role listening`,
    expected:
      'only sessions connect, cookies only from the own origin; the recipient hears the send, admins its progress',
    found: failures.count === 0 ? 'as expected' : `${failures.count} differences`,
    failures: failures.lines(),
  }
}
