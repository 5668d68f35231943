import { type FirstAdminReport, passwordToShow } from '@portal/platform/runtime/start-report'
import type { Filled } from './fill/fill-portal.ts'
import { filledLines } from './fill/filled-lines.ts'

type Started = {
  readonly address: string
  readonly firstAdmin: FirstAdminReport | undefined
  /** There is nothing in it yet, and it is no portal in production. */
  readonly isEmpty?: boolean
  readonly filled?: Filled | undefined
  readonly discontinuities?: readonly string[]
}

/** What the person who starts the portal reads: where it is and, on the very first start, how to get in. */
export const banner = ({ address, firstAdmin, isEmpty, filled, discontinuities = [] }: Started): string => {
  const lines = [`Portal is running at ${address}`]
  if (firstAdmin) {
    lines.push('', 'First admin', `  E-mail:   ${firstAdmin.email}`, `  Password: ${passwordToShow(firstAdmin)}`)
    if (firstAdmin.isPasswordGenerated) lines.push('It is shown this once; only its hash is kept.')
  }
  if (filled) lines.push('', 'Sample data', ...filledLines(filled).map((line) => `  ${line}`))
  if (isEmpty) lines.push('', 'It is empty. Stop it and run `make seed` to fill it with sample data.')
  if (discontinuities.length > 0) lines.push('', 'Not complete', ...discontinuities.map((line) => `  ${line}`))
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}
