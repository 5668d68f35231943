import type { Continuity } from './continuity.ts'
import { wholeLog } from './discontinuity.ts'

/** Puts on record what an event store says of itself. It is open before the place of the records is, so it may have to wait. */
export const olderLogReporter = () => {
  let continuity: Pick<Continuity, 'record'> | undefined
  let waiting: string | undefined
  const onOlder = (missing: string): void => {
    if (continuity === undefined) waiting = missing
    else continuity.record({ consumer: wholeLog, cause: 'log-older', missing })
  }
  return {
    onOlder,
    reportTo(opened: Pick<Continuity, 'record'>): void {
      continuity = opened
      if (waiting !== undefined) onOlder(waiting)
    },
  }
}
