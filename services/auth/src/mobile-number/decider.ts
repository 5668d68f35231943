import type { UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type MobileNumberEvent, mobileNumberEventSchema } from './events.ts'

type Confirmation = { readonly userId: UserId; readonly emailIndex: string; readonly at: string }

type MobileNumberState = { readonly confirmed: Confirmation | undefined }

type MobileNumberCommand = {
  readonly type: 'ConfirmNumber'
  readonly userId: UserId
  readonly emailIndex: string
  readonly now: Date
  /** The previously confirmed user, if they have another number by now, no account with their address, or never got one. */
  readonly abandonedBy: UserId | undefined
}

/** One stream per number, so that one number cannot confirm two registrations. */
export const mobileNumberDecider: Decider<MobileNumberState, MobileNumberCommand, MobileNumberEvent, 'in-use'> = {
  category: 'mobile',
  initial: { confirmed: undefined },

  decide({ userId, emailIndex, now, abandonedBy }, { confirmed }) {
    if (confirmed?.userId === userId) return ok([])
    if (confirmed && confirmed.userId !== abandonedBy) return rejected('in-use')
    return ok([{ type: 'MobileNumberConfirmed', data: { userId, emailIndex, at: now.toISOString() } }])
  },

  evolve: (_state, { data }) => ({ confirmed: data }),

  parse: storedEventReader(mobileNumberEventSchema),
}
