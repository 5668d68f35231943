import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { FreshCodes } from './commands.ts'
import type { Channel, PerChannel, RegistrationEvent } from './events.ts'
import type { Caller, HandleRegistration } from './handle-registration.ts'
import type { RegistrationLimits } from './registration-limits.ts'
import type { CodeSender, Registrant, Sending } from './send-codes.ts'

/** The recorded hash of a code. Without the key it cannot be brute-forced; with the key that takes a million tries. */
export const codeHashOf = (
  vault: Pick<PersonalDataVault, 'index'>,
  emailIndex: string,
  channel: Channel,
  code: string,
): string => vault.index('code', `${emailIndex} ${channel} ${code}`)

type SentCodes = {
  readonly sending: Sending
  /** The SMS was not sent, because the budget is used up. */
  readonly isByEmailOnly: boolean
}

type CodeIssuerDeps = {
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newCode' | 'newId' | 'now'>
  readonly limits: Pick<RegistrationLimits, 'sendSms'>
  readonly sendCodes: CodeSender
  readonly handle: HandleRegistration
}

const codesIn = (events: readonly RegistrationEvent[]): PerChannel<string> => {
  const issued = events.find((event) => event.type === 'CodesIssued')
  return issued?.data.codes ?? {}
}

/** The codes that were recorded as issued. */
export const issuedOf = (codes: PerChannel<string>, events: readonly RegistrationEvent[]): PerChannel<string> => {
  const issued = codesIn(events)
  return {
    email: issued.email === undefined ? undefined : codes.email,
    mobile: issued.mobile === undefined ? undefined : codes.mobile,
  }
}

/** Creates codes and sends those that were recorded. */
export const createCodeIssuer = ({ vault, clockAndIds, limits, sendCodes, handle }: CodeIssuerDeps) => {
  const freshCodes = (emailIndex: string, channels: readonly Channel[]) => {
    const codes: { [C in Channel]?: string } = {}
    const hashes: { [C in Channel]?: string } = {}
    for (const channel of channels) {
      const code = clockAndIds.newCode()
      codes[channel] = code
      hashes[channel] = codeHashOf(vault, emailIndex, channel, code)
    }
    const fresh: FreshCodes = { issueId: clockAndIds.newId(), codes: hashes, now: clockAndIds.now() }
    return { codes, fresh }
  }

  /**
   * Sends the recorded codes. A failure is recorded, so that the caller may retry at once. If the SMS budget of the
   * portal or the caller's share of it is used up, only the mail is sent: one code is enough.
   */
  const send = async (
    emailIndex: string,
    issueId: string,
    recipient: Registrant,
    { email, mobile }: PerChannel<string>,
    { address, metadata }: Pick<Caller, 'address' | 'metadata'>,
  ): Promise<SentCodes> => {
    const sms = mobile === undefined ? undefined : await limits.sendSms(recipient.mobileNumber, address)
    const isSmsRefused = sms?.wait !== undefined
    const codes = { email, mobile: isSmsRefused ? undefined : mobile }
    const isAnySent = codes.email !== undefined || codes.mobile !== undefined
    const sending = isAnySent ? await sendCodes(recipient, codes) : 'failed'
    if (sending === 'failed') await handle(emailIndex, { type: 'ReportCodesNotSent', issueId }, metadata)
    return { sending, isByEmailOnly: isSmsRefused }
  }

  return { freshCodes, send }
}
