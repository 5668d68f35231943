import { relative } from 'node:path'
import { devMailboxFileIn } from '@portal/platform/outbound/open-outbound'
import type { Config } from '@portal/platform/settings/config'
import { networkAddresses } from '@portal/platform/runtime/listening-at'
import { type FirstAdminReport, passwordToShow, temporaryPasswordWords } from '@portal/platform/runtime/start-report'
import { seededLines, type SeededPortal } from '@portal/sample-data/seed-portal'

type Started = {
  readonly address: string
  /** Which machines can open it, and how. */
  readonly access?: readonly string[]
  /** Lines that say where the API is documented. */
  readonly api?: readonly string[]
  /** How to see codes and links. */
  readonly codes?: readonly string[]
  /** Accounts of sample data that was added earlier. */
  readonly sampleLogins?: readonly string[]
  readonly firstAdmin?: FirstAdminReport | undefined
  readonly isFirstPasswordTemporary?: boolean
  /** It has no data yet and is not in production. */
  readonly isEmpty?: boolean
  readonly seeded?: SeededPortal | undefined
  readonly discontinuities?: readonly string[]
}

/** Whether only this machine or also the network can open the portal, with the addresses. */
export const accessLines = async (
  { environment, http }: { readonly environment: Config['environment']; readonly http: Pick<Config['http'], 'host'> },
  { port, command }: { readonly port: number; readonly command: string },
): Promise<readonly string[]> => {
  const addresses = await networkAddresses(http.host, port)
  if (addresses.length > 0) return [`Open to this network at ${addresses.join(' and ')}`]
  if (environment === 'production') return []
  return [`Only this machine can open it. To open it to phones on the same network: ${command} HOST=0.0.0.0`]
}

/** Returns lines that say where the API is documented. Empty in production, or if it is not. */
export const apiLines = ({ environment, docs }: Pick<Config, 'environment' | 'docs'>, address: string) =>
  environment === 'production' || !docs ? [] : [`API:     ${address}/docs`]

const mailboxContent = ({ smtpUrl, smsUrl }: Pick<Config['outbound'], 'smtpUrl' | 'smsUrl'>): string => {
  if (smtpUrl !== undefined) return 'codes for mobile numbers. Mail is sent'
  return smsUrl === undefined ? 'codes and links' : 'codes and links for mail. Text messages are sent'
}

/** How to see the codes and links for new users. Empty in production, or if all of them are sent. */
export const codeLines = (
  { environment, outbound, dataDir }: Pick<Config, 'environment' | 'outbound' | 'dataDir'>,
  { mailboxAddress, canShow }: { readonly mailboxAddress?: string | undefined; readonly canShow: boolean },
): readonly string[] => {
  if (mailboxAddress !== undefined) return [`Mailbox: ${mailboxAddress}`]
  if (environment === 'production' || (outbound.smtpUrl !== undefined && outbound.smsUrl !== undefined)) return []
  const file = `Mailbox: ${relative(process.cwd(), devMailboxFileIn(dataDir))}, with ${mailboxContent(outbound)}.`
  return [canShow ? `${file} To see it in the browser: make run DEV_OUTBOX=1` : file]
}

/** The output of a start: the address and, on the first start, the first admin's password. */
export const banner = (started: Started): string => {
  const { address, access = [], api = [], codes = [], sampleLogins = [], firstAdmin, isEmpty, seeded } = started
  const { isFirstPasswordTemporary = false, discontinuities = [] } = started
  const lines = [`Portal is running at ${address}`, ...access, ...api, ...codes]
  if (sampleLogins.length > 0 && !seeded)
    lines.push(`Sample logins: ${sampleLogins.join(', ')}, with the password that was printed with the sample data`)
  if (firstAdmin) {
    lines.push('', 'First admin', `  Email:    ${firstAdmin.email}`, `  Password: ${passwordToShow(firstAdmin)}`)
    if (firstAdmin.isPasswordGenerated) lines.push('It is shown this once; only its hash is kept.')
    if (isFirstPasswordTemporary) lines.push(temporaryPasswordWords)
  }
  if (seeded) lines.push('', 'Sample data', ...seededLines(seeded).map((line) => `  ${line}`))
  if (isEmpty) lines.push('', 'This portal is empty. To add sample data, stop it and run make seed.')
  if (discontinuities.length > 0) lines.push('', 'Not complete', ...discontinuities.map((line) => `  ${line}`))
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}
