import { type FirstAdminReport, passwordToShow } from '@portal/platform/runtime/start-report'

type Started = { readonly address: string; readonly firstAdmin: FirstAdminReport | undefined }

/** What the person who starts the portal reads: where it is and, on the very first start, how to get in. */
export const banner = ({ address, firstAdmin }: Started): string => {
  const lines = [`Portal is running at ${address}`]
  if (firstAdmin) {
    lines.push('', 'First admin', `  E-mail:   ${firstAdmin.email}`, `  Password: ${passwordToShow(firstAdmin)}`)
    if (firstAdmin.isPasswordGenerated) lines.push('It is shown this once; only its hash is kept.')
  }
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}
