import { isUserFacing } from '../errors/error-kinds.ts'
import { EventStoreUnavailableError } from '../event-store/errors.ts'

type ListeningAddress = { readonly host: string; readonly port: number }

const textOfCode = (code: unknown, { host, port }: ListeningAddress): string | undefined => {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another process: stop that one, or choose another port (PORT)`
    case 'EACCES':
      return `This user may not use port ${port}: choose another port (PORT)`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${host} is not an address of this machine. If another tool has set it: make run HOST=127.0.0.1`
    default:
      return undefined
  }
}

/** File system errors. Their messages name the operation and usually the path. */
const fileErrors: ReadonlySet<unknown> = new Set(['ENOSPC', 'EROFS', 'EACCES', 'EPERM', 'EDQUOT', 'ENOTDIR', 'EMFILE'])

const unavailableText = ({ cause }: EventStoreUnavailableError): string => {
  const line = cause instanceof Error ? cause.message.split('\n')[0]?.replace(/\. Resolution note: *$/, '') : undefined
  const reason = line ? ` (${line})` : ''
  return `The event store does not answer${reason}: start it, or correct EVENT_STORE_URL. make doctor checks both`
}

/** Why the portal did not start: one line for a user-facing error, otherwise the stack for a bug report. */
export const startErrorText = (error: unknown, http: ListeningAddress | undefined): string => {
  if (!(error instanceof Error)) return `The portal could not start: ${String(error)}`
  if (isUserFacing(error)) return error.message
  if (error instanceof EventStoreUnavailableError) return unavailableText(error)
  const isFromListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  const known = isFromListening && 'code' in error && http ? textOfCode(error.code, http) : undefined
  if (known === undefined && 'syscall' in error && 'code' in error && fileErrors.has(error.code)) {
    return `The portal could not start: ${error.message}`
  }
  return known ?? `The portal could not start: ${error.stack ?? error.message}`
}
