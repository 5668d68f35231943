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
  /** How to see codes and links. */
  readonly codes?: readonly string[]
  readonly firstAdmin?: FirstAdminReport | undefined
  readonly isFirstPasswordTemporary?: boolean
  /** It has no data yet and is not in production. */
  readonly isEmpty?: boolean
  readonly seeded?: SeededPortal | undefined
  readonly discontinuities?: readonly string[]
}

/** Whether only this machine or also the network can open the portal, with the addresses. */
export const accessLines = (
  { environment, http }: { readonly environment: Config['environment']; readonly http: Pick<Config['http'], 'host'> },
  { port, command }: { readonly port: number; readonly command: string },
): readonly string[] => {
  const addresses = networkAddresses(http.host, port)
  if (addresses.length > 0) return [`Open to this network at ${addresses.join(' and ')}`]
  if (environment === 'production') return []
  return [`Only this machine can open it. To open it to phones on the same network: ${command} HOST=0.0.0.0`]
}

/** How to see the codes and links for new users. Empty in production, or if all of them are sent. */
export const codeLines = (
  { environment, outbound, dataDir }: Pick<Config, 'environment' | 'outbound' | 'dataDir'>,
  { mailboxAddress, canShow }: { readonly mailboxAddress?: string | undefined; readonly canShow: boolean },
): readonly string[] => {
  if (mailboxAddress !== undefined) return [`Codes and links: ${mailboxAddress}`]
  if (environment === 'production' || (outbound.smtpUrl !== undefined && outbound.smsUrl !== undefined)) return []
  const file = `Codes and links are written to ${relative(process.cwd(), devMailboxFileIn(dataDir))}.`
  return [canShow ? `${file} To see them in the browser: make run DEV_OUTBOX=1` : file]
}

/** The output of a start: the address and, on the first start, the first admin's password. */
export const banner = (started: Started): string => {
  const { address, access = [], codes = [], firstAdmin, isEmpty, seeded, discontinuities = [] } = started
  const { isFirstPasswordTemporary = false } = started
  const lines = [`Portal is running at ${address}`, ...access, ...codes]
  if (firstAdmin) {
    lines.push('', 'First admin', `  E-mail:   ${firstAdmin.email}`, `  Password: ${passwordToShow(firstAdmin)}`)
    if (firstAdmin.isPasswordGenerated) lines.push('It is shown this once; only its hash is kept.')
    if (isFirstPasswordTemporary) lines.push(temporaryPasswordWords)
  }
  if (seeded) lines.push('', 'Sample data', ...seededLines(seeded).map((line) => `  ${line}`))
  if (isEmpty) lines.push('', 'It is empty. Stop it and run `make seed` to fill it with sample data.')
  if (discontinuities.length > 0) lines.push('', 'Not complete', ...discontinuities.map((line) => `  ${line}`))
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}
