import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { RegistrationDetails } from '../registration/events.ts'
import { type FirstAdminEvent, firstAdminEventSchema } from './events.ts'

export type FirstAdminCommand =
  /** `after`: the previous attempt, 0 for none. */
  | {
      readonly type: 'ChooseFirstAdmin'
      readonly after: number
      readonly details: RegistrationDetails
      readonly passwordExpiresAt?: string | undefined
    }
  | { readonly type: 'RecordFirstAdminShown'; readonly attempt: number }

export type FirstAdminState =
  | { readonly status: 'none' }
  | {
      readonly status: 'chosen' | 'shown'
      readonly attempt: number
      readonly details: RegistrationDetails
      readonly passwordExpiresAt?: string | undefined
    }

/** Another process has recorded a later attempt. */
type FirstAdminRejection = 'superseded'

/**
 * One stream: if several processes start a new portal at once, one of them chooses the admin and shows the password.
 */
export const firstAdminStreamId = 'admin'

export const firstAdminDecider: Decider<FirstAdminState, FirstAdminCommand, FirstAdminEvent, FirstAdminRejection> = {
  category: 'setup',
  initial: { status: 'none' },

  decide(command, state) {
    switch (command.type) {
      case 'ChooseFirstAdmin': {
        const { after, details, passwordExpiresAt } = command
        if (state.status === 'shown' || attemptOf(state) !== after) return rejected('superseded')
        const expiry = passwordExpiresAt === undefined ? {} : { passwordExpiresAt }
        return ok([{ type: 'FirstAdminChosen', data: { attempt: after + 1, details, ...expiry } }])
      }
      case 'RecordFirstAdminShown': {
        const { attempt } = command
        if (attempt === 0 || attemptOf(state) !== attempt) return rejected('superseded')
        return ok(state.status === 'shown' ? [] : [{ type: 'FirstAdminShown', data: { attempt } }])
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'FirstAdminChosen':
        return { status: 'chosen', ...event.data }
      case 'FirstAdminShown':
        return state.status === 'none' ? state : { ...state, status: 'shown' }
    }
  },

  parse: storedEventReader(firstAdminEventSchema),
}

export const attemptOf = (state: FirstAdminState): number => (state.status === 'none' ? 0 : state.attempt)
