import { isUserFacing } from '../errors/error-kinds.ts'

const textOfCode = (code: unknown, port: number | undefined): string | undefined => {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another process: stop that one, or choose another port (PORT)`
    case 'EACCES':
      return `This user may not use port ${port}: choose another port (PORT)`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'HOST is not an address of this machine'
    default:
      return undefined
  }
}

/** File system errors. Their messages name the operation and usually the path. */
const fileErrors: ReadonlySet<unknown> = new Set(['ENOSPC', 'EROFS', 'EACCES', 'EPERM', 'EDQUOT', 'ENOTDIR', 'EMFILE'])

/** Why the portal did not start: one line for a user-facing error, otherwise the stack for a bug report. */
export const startErrorText = (error: unknown, port: number | undefined): string => {
  if (!(error instanceof Error)) return `The portal could not start: ${String(error)}`
  if (isUserFacing(error)) return error.message
  const isFromListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  const known = isFromListening && 'code' in error ? textOfCode(error.code, port) : undefined
  if (known === undefined && 'syscall' in error && 'code' in error && fileErrors.has(error.code)) {
    return `The portal could not start: ${error.message}`
  }
  return known ?? `The portal could not start: ${error.stack ?? error.message}`
}
