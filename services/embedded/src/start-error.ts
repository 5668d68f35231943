import { FirstAdminError } from '@portal/auth/first-admin/ensure-first-admin'
import { KeyRingError } from '@portal/platform/http/key-ring'
import { MasterKeyError } from '@portal/platform/personal-data/master-key'
import { ConfigError } from '@portal/platform/runtime/config'
import { DataFolderError } from '@portal/platform/runtime/data-folder'

const forPeople = [ConfigError, DataFolderError, KeyRingError, MasterKeyError, FirstAdminError]

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * Why the portal did not start. One line for what the person who starts it can mend; for anything else the stack, which
 * is what a report of it needs.
 */
export const startErrorText = (error: unknown, port: number | undefined): string => {
  if (forPeople.some((type) => error instanceof type)) return (error as Error).message // instances of Error all of them
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another process: stop that one, or choose another port (PORT)`
    case 'EACCES':
      return `Port ${port} may not be used by this user: choose another port (PORT)`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'HOST is not an address of this machine'
    default:
      return `The portal could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}
