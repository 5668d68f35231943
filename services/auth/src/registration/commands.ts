import type { UserId } from '@portal/contracts/shared/ids'
import type { PerChannel } from './channel.ts'
import type { RegistrationDetails } from './events.ts'

/** Keyed hashes of fresh codes and when they were made. */
export type FreshCodes = { readonly issueId: string; readonly codes: PerChannel<string>; readonly now: Date }

export type RegistrationCommand =
  | { readonly type: 'InitiateRegistration'; readonly details: RegistrationDetails; readonly fresh: FreshCodes }
  /** By the portal itself, which needs no codes: the first admin, seeded learners. */
  | { readonly type: 'RegisterDirectly'; readonly details: RegistrationDetails }
  | { readonly type: 'ResendCodes'; readonly mobileIndex: string; readonly fresh: FreshCodes }
  | { readonly type: 'ReportCodesNotSent'; readonly issueId: string }
  | {
      readonly type: 'VerifyCodes'
      readonly mobileIndex: string
      /** Keyed hashes of the codes that were entered. */
      readonly entered: PerChannel<string>
      readonly now: Date
    }
  | { readonly type: 'ReleaseEmail'; readonly userId: UserId }
