import { type TestOutcome, testOutcomeSchema } from '@portal/contracts/notifications/devices'
import { peerSubjects, type TestPushQuestion, testPushQuestionSchema } from '@portal/contracts/notifications/peers'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PushMessage, PushSender } from '@portal/platform/outbound/port'
import type { Peers } from '@portal/platform/peers/port'
import type { Logger } from 'pino'
import type { Devices } from './devices.ts'
import { messageOf as pushOf } from './push-message.ts'

/** Pushes a test to one device. It is recorded nowhere: no inbox and no history has it. */
export type TestPush = (device: TestPushQuestion) => Promise<TestOutcome>

/** Where an admin writes a notification. */
const formPath = '/admin/notifications'

const deviceTestOf = (testId: string): PushMessage => ({
  notificationId: testId,
  title: 'Test notification',
  body: 'This device gets notifications.',
  url: '/profile/notifications',
  type: 'General',
})

type TestText = NonNullable<TestPushQuestion['text']>

type TestPushDeps = {
  readonly push: Pick<PushSender, 'send'>
  readonly devices: Pick<Devices, 'tokensOf' | 'drop'>
  /** Fills in the placeholders of a text for its reader. Between processes it keeps them. */
  readonly fill: (userId: UserId, text: TestText) => Promise<TestText>
  readonly logger: Pick<Logger, 'warn'>
}

/** For the process that calls the push provider. */
export const createTestPush =
  ({ push, devices, fill, logger }: TestPushDeps): TestPush =>
  async (question) => {
    const { userId, tokenIndex, testId, text } = question
    const token = (await devices.tokensOf([userId])).find((one) => one.tokenIndex === tokenIndex)
    if (token === undefined) return 'unregistered'
    try {
      const message = text
        ? { ...pushOf({ ...(await fill(userId, text)), notificationId: testId }), url: formPath }
        : deviceTestOf(testId)
      const [outcome] = await push.send([token.token], message, [userId])
      if (outcome?.kind === 'unregistered') await devices.drop(token)
      if (outcome?.kind === 'unavailable' || outcome?.kind === 'failed')
        logger.warn({ userId, reason: outcome.reason }, 'push provider did not accept a test')
      return outcome?.kind ?? 'unavailable'
    } catch (err) {
      logger.warn({ err, userId }, 'test push failed')
      return 'unavailable'
    }
  }

/** Longer than a push takes at most, and shorter than a browser waits for an answer. */
const timeoutMs = 15_000

/** Asks the process that delivers. */
export const createRemoteTestPush =
  (peers: Pick<Peers, 'request'>): TestPush =>
  async (device) => {
    const answers = await peers.request(peerSubjects.testPush, device, timeoutMs)
    return answers.map((answer) => testOutcomeSchema.safeParse(answer).data).find(Boolean) ?? 'unavailable'
  }

/** Answers the other processes while `current` returns a test push: only the leader has one. */
export const onTestPushes = (peers: Pick<Peers, 'onRequest'>, current: () => TestPush | undefined): void =>
  peers.onRequest(peerSubjects.testPush, async (question) => {
    const testPush = current()
    return testPush ? testPush(testPushQuestionSchema.parse(question)) : null
  })
