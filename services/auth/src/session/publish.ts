import type { Publisher } from '@portal/platform/bus/publisher'
import { authMessage } from '../auth-messages.ts'
import { sessionDecider } from './decider.ts'

export const sessionPublisher: Publisher = {
  category: sessionDecider.category,
  topics: ['auth'],
  publish: (recorded) => [authMessage(sessionDecider.parse(recorded))],
}
