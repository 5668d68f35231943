import {
  deviceNotFound,
  listDevices,
  removeDevice,
  testDevice,
  tooManyTests,
  type TestOutcome,
} from '@portal/contracts/notifications/devices'
import {
  getPushConfig,
  getPushKey,
  type PushClientConfig,
  savePushToken,
} from '@portal/contracts/notifications/push-http'
import { invalidSubscription } from '@portal/contracts/notifications/errors'
import { testNotification } from '@portal/contracts/notifications/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import { deviceNameOf } from '@portal/platform/http/device-name'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { isSubscription, readSubscription } from '@portal/platform/outbound/web-push/subscription'
import { type AttemptLimit, type AttemptLimiter, formatDuration } from '@portal/platform/limits/port'
import type { FastifyInstance } from 'fastify'
import type { OwnDevices } from './own-devices.ts'
import type { RegisterToken } from './register-token.ts'
import type { TestPush } from './test-push.ts'

export const pushTestsLimit: AttemptLimit = { max: 5, windowMs: 10 * 60_000 }
/** An admin looks at a text after each change. */
export const testSendsLimit: AttemptLimit = { max: 20, windowMs: 10 * 60_000 }

type DeviceRoutesDeps = {
  readonly bind: BindRoute
  readonly registerToken: RegisterToken
  readonly ownDevices: OwnDevices
  readonly testPush: TestPush
  readonly newId: () => string
  readonly pushTestsPerUser: AttemptLimiter
  readonly testSendsPerAdmin: AttemptLimiter
  /** The public key of Web Push. */
  readonly pushKey: string
  /** With it, browsers register at FCM instead. */
  readonly pushClient?: PushClientConfig | undefined
}

/** What happened and what to do, for the user who asked for the test. */
const testMessages: Readonly<Record<TestOutcome, string>> = {
  accepted: 'The push service has accepted the test',
  unregistered: 'This device no longer gets notifications. Turn them on again there',
  unavailable: 'The push service is not available. Please try again later',
  failed: 'The push service rejected the test. Turn notifications off and on again on that device',
}

const ownDeviceRoutes = (
  app: FastifyInstance,
  { bind, ownDevices, testPush, newId, pushTestsPerUser }: DeviceRoutesDeps,
): void => {
  bind(app, listDevices, async ({ session }) => ok({ success: true, devices: await ownDevices.list(session) }))
  bind(app, removeDevice, async (call) => {
    const removed = await ownDevices.remove(call.session, call.params.id, metadataOf(call))
    return removed.ok ? ok({ success: true, message: 'Device removed' }) : removed
  })
  bind(app, testDevice, async ({ session, params }) => {
    const device = (await ownDevices.list(session)).find(({ id }) => id === params.id)
    if (device === undefined) return rejected(deviceNotFound)
    const { userId } = session
    const wait = await pushTestsPerUser.attempt(userId)
    if (wait !== undefined) return rejected({ ...tooManyTests(formatDuration(wait)), retryAfterSeconds: wait })
    const testId = newId()
    const outcome = await testPush({ userId, tokenIndex: device.id, testId })
    return ok({ success: true, message: testMessages[outcome], testId, outcome })
  })
}

/** Marks the title, so that a phone does not show a test as the real one. */
const testTitle = (title: string): string => `Test: ${title}`

const testNotificationRoute = (
  app: FastifyInstance,
  { bind, ownDevices, testPush, newId, testSendsPerAdmin }: DeviceRoutesDeps,
): void =>
  bind(app, testNotification, async ({ session, body }) => {
    const { userId } = session
    const wait = await testSendsPerAdmin.attempt(userId)
    if (wait !== undefined) return rejected({ ...tooManyTests(formatDuration(wait)), retryAfterSeconds: wait })
    const { title, message, type, image, translation } = body
    const shown = { type, ...(image && { image }) }
    const tests = [{ title, message }, ...(translation ? [translation] : [])].map((text) => ({
      testId: newId(),
      text: { ...shown, ...text, title: testTitle(text.title) },
    }))
    const pushAll = async (tokenIndex: string): Promise<TestOutcome> => {
      const outcomes = await Promise.all(tests.map((test) => testPush({ userId, tokenIndex, ...test })))
      return outcomes.find((outcome) => outcome !== 'accepted') ?? 'accepted'
    }
    const own = await ownDevices.list(session)
    const devices = await Promise.all(own.map(async ({ id, name }) => ({ name, outcome: await pushAll(id) })))
    const done = devices.length === 0 ? 'No device of yours gets notifications' : 'Test sent to your devices'
    return ok({ success: true, message: done, devices })
  })

export const deviceRoutes = (app: FastifyInstance, deps: DeviceRoutesDeps): void => {
  const { bind, registerToken, pushKey, pushClient } = deps
  bind(app, savePushToken, async (call) => {
    const { token } = call.body
    if (isSubscription(token) && readSubscription(token) === undefined) return rejected(invalidSubscription)
    const registered = await registerToken(
      call.session,
      { token, deviceName: deviceNameOf(call.request.headers['user-agent']) },
      metadataOf(call),
    )
    if (!registered.ok) return registered
    if (registered.value.isRevoked) return ok({ success: true, message: 'This device was removed', isRemoved: true })
    return ok({ success: true, message: 'Push token saved' })
  })
  bind(app, getPushKey, async () =>
    ok({ success: true, provider: pushClient === undefined ? 'web-push' : 'fcm', key: pushKey }),
  )
  ownDeviceRoutes(app, deps)
  testNotificationRoute(app, deps)
  bind(app, getPushConfig, async () => ok({ success: true, config: pushClient ?? null }))
}
