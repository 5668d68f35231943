import {
  allStream,
  type EventStoreReport,
  keyStreams,
  type Right,
} from '@portal/platform/operations/inspect-event-store'
import { type Finding, type Findings, fail, ok, warn } from './finding.ts'

const check = 'event store'
/** Its time is known to about a second. */
const mostSkewMs = 2_000

const streamsOf = (of: string): string => {
  if (of === allStream) return allStream
  return of === keyStreams ? `streams that begin with ${keyStreams}` : `streams that begin with ${of}-`
}

const todoOf = ({ of }: Right, user: string): string =>
  of === allStream
    ? `make grant-event-store USER_NAME=${user} ADMIN_URL=esdb://admin:…@host:2113`
    : `let ${user} read, write and delete by $userStreamAcl of $settings: see docs/eventstoredb.md`

/** Rights that the user lacks, and clocks that differ. */
export const findingsOfEventStore = ({ user = '(no user)', rights, clockAheadMs }: EventStoreReport): Findings => {
  const missing = rights.filter(({ isGranted }) => !isGranted)
  const found: Finding[] = missing.map((right) =>
    fail(check, `the user ${user} may not ${right.action} ${streamsOf(right.of)}`, todoOf(right, user)),
  )
  if (missing.length === 0) found.push(ok(check, `the user ${user} has all rights that the portal needs`))
  if (clockAheadMs !== undefined && Math.abs(clockAheadMs) > mostSkewMs) {
    const how = clockAheadMs > 0 ? 'ahead of' : 'behind'
    const seconds = Math.round(Math.abs(clockAheadMs) / 1_000)
    found.push(warn('clocks', `EventStoreDB’s clock is ${seconds} s ${how} this machine’s`, 'synchronize both (NTP)'))
  }
  return found
}
