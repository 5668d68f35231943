import type { Metrics } from '../observability/metrics/metrics.ts'
import { securityLine } from './security-line.ts'
import type { SecurityLog } from './security-log.ts'

export type SecurityLogDestination = {
  write(line: string): void
  close(): Promise<void>
}

export type SecurityLogOptions = {
  readonly destination: SecurityLogDestination
  readonly now: () => Date
  readonly metrics?: Pick<Metrics, 'securityEvents'>
}

export const createSecurityLog = ({ destination, now, metrics }: SecurityLogOptions): SecurityLog => ({
  record: (event) => {
    metrics?.securityEvents.inc({ event: event.event, result: event.result })
    destination.write(securityLine(now(), event))
  },
  close: () => destination.close(),
})
