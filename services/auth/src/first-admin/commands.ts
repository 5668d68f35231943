import type { RegistrationDetails } from '../registration/events.ts'

export type FirstAdminCommand =
  /** `after`: the attempt that this one follows, 0 for none. */
  | {
      readonly type: 'ChooseFirstAdmin'
      readonly after: number
      readonly details: RegistrationDetails
      readonly passwordExpiresAt?: string | undefined
    }
  | { readonly type: 'RecordFirstAdminShown'; readonly attempt: number }
