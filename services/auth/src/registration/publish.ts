import type { Publisher } from '@portal/platform/bus/publisher'
import { authMessage } from '../auth-messages.ts'
import { registrationDecider } from './decider.ts'

/** Of a registration, only its completion is of interest: it is what registration/completion.ts follows up. */
export const registrationPublisher: Publisher = {
  category: registrationDecider.category,
  topics: ['auth'],
  publish: (recorded) => {
    const event = registrationDecider.parse(recorded)
    return event.type === 'RegistrationCompleted' ? [authMessage({ type: event.type, data: event.data })] : []
  },
}
