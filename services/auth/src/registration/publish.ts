import type { Publisher } from '@portal/platform/bus/publisher'
import { authMessage } from '../auth-messages.ts'
import { registrationDecider } from './decider.ts'

/** Its completion is what registration/completion.ts follows up; the directory shows whether the address was proved. */
export const registrationPublisher: Publisher = {
  category: registrationDecider.category,
  topics: ['auth'],
  publish: (recorded) => {
    const event = registrationDecider.parse(recorded)
    if (event.type === 'EmailProved') return [authMessage({ type: event.type, data: event.data })]
    if (event.type !== 'RegistrationCompleted') return []
    const { userId, emailIndex } = event.data
    return [authMessage({ type: event.type, data: { userId, emailIndex } })]
  },
}
