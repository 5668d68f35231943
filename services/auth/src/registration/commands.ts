import type { UserId } from '@portal/contracts/shared/ids'
import type { PerChannel, RegistrationDetails } from './events.ts'

/** Keyed hashes of new codes, and when the codes were made. */
export type FreshCodes = { readonly issueId: string; readonly codes: PerChannel<string>; readonly now: Date }

/** Identifies a pending registration of the address. */
export type PendingQuery = {
  readonly mobileIndex: string
  /** Undefined for a caller without cookies. */
  readonly browserHash?: string | undefined
}

export type RegistrationCommand =
  | { readonly type: 'InitiateRegistration'; readonly details: RegistrationDetails; readonly fresh: FreshCodes }
  /** Registers without codes, for the first admin and seeded learners. */
  | { readonly type: 'RegisterDirectly'; readonly details: RegistrationDetails }
  | (PendingQuery & { readonly type: 'ResendCodes'; readonly fresh: FreshCodes })
  | { readonly type: 'ReportCodesNotSent'; readonly issueId: string }
  | (PendingQuery & {
      readonly type: 'VerifyCodes'
      /** Keyed hashes of the entered codes. */
      readonly entered: PerChannel<string>
      readonly now: Date
      /** The number has confirmed another account, so its code is not enough. */
      readonly isNumberTaken?: boolean
    })
  /** A day after it was begun. Does nothing if it led to an account, or if a browser is completing it. */
  | { readonly type: 'ExpireRegistration'; readonly userId: UserId; readonly emailIndex: string; readonly now: Date }
  | { readonly type: 'ProveEmail'; readonly userId: UserId }
  | { readonly type: 'ReleaseEmail'; readonly userId: UserId }
