import { pino } from 'pino'
import type { SecurityLogDestination } from './create-security-log.ts'

/** Synchronous, so that a crash loses no line. */
export const standardOutput = (): SecurityLogDestination => {
  const stream = pino.destination({ fd: 1, sync: true })
  return { write: (line) => void stream.write(line), close: async () => stream.flushSync() }
}
