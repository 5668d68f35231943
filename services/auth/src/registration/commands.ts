import type { UserId } from '@portal/contracts/shared/ids'
import type { PerChannel, RegistrationDetails } from './events.ts'

/** Keyed hashes of fresh codes and when they were made. */
export type FreshCodes = { readonly issueId: string; readonly codes: PerChannel<string>; readonly now: Date }

/** What a caller says to know of the registration. */
export type PendingQuery = {
  readonly mobileIndex: string
  /** Undefined for a caller that keeps no cookies. */
  readonly browserHash?: string | undefined
}

export type RegistrationCommand =
  | { readonly type: 'InitiateRegistration'; readonly details: RegistrationDetails; readonly fresh: FreshCodes }
  /** By the portal itself, which needs no codes: the first admin, seeded learners. */
  | { readonly type: 'RegisterDirectly'; readonly details: RegistrationDetails }
  | (PendingQuery & { readonly type: 'ResendCodes'; readonly fresh: FreshCodes })
  | { readonly type: 'ReportCodesNotSent'; readonly issueId: string }
  | (PendingQuery & {
      readonly type: 'VerifyCodes'
      /** Keyed hashes of the codes that were entered. */
      readonly entered: PerChannel<string>
      readonly now: Date
      /** The number has confirmed another account, so its code is not enough. */
      readonly isNumberTaken?: boolean
    })
  | { readonly type: 'ProveEmail'; readonly userId: UserId }
  | { readonly type: 'ReleaseEmail'; readonly userId: UserId }
