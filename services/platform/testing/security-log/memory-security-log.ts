import { createSecurityLog, type SecurityEvent, type SecurityLog } from '../../src/security-log/security-log.ts'

export type MemorySecurityLog = SecurityLog & {
  /** Oldest first. */
  readonly events: SecurityEvent[]
  /** The content of the file. */
  text(): string
}

export const createMemorySecurityLog = (now: () => Date = () => new Date()): MemorySecurityLog => {
  const events: SecurityEvent[] = []
  const lines: string[] = []
  const log = createSecurityLog({
    now,
    destination: { write: (line) => void lines.push(line), close: async () => {} },
  })
  return {
    ...log,
    events,
    text: () => lines.join(''),
    record: (event) => {
      events.push(event)
      log.record(event)
    },
  }
}
