import { operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import type { Config } from '@portal/platform/settings/config'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { positionBefore } from '@portal/platform/event-store/sqlite/position'
import { runCommand } from '../command.ts'
import { endNow, isOn, print } from '../output/print.ts'
import { terminalOf } from '../output/terminal.ts'
import { type EventLog, openExistingVault, openLog } from '../settings/open-engines.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { findEvents, type PositionBeforeEnd } from './find-events.ts'
import { eventLines, maskEvent, type ShownEvent } from './mask.ts'
import { type EventsQuery, eventsQueryOf } from './query.ts'
import { unmaskEvents } from './unmask.ts'

/** Shows personal data, after recording who asked for it and why. */
const unmaskAndRecord = async (
  config: Config,
  found: readonly RecordedEvent[],
  { asked }: EventsQuery,
  reason: string,
): Promise<readonly ShownEvent[]> => {
  const vault = await openExistingVault(config)
  try {
    const { events, userIds } = await unmaskEvents(found, vault)
    const what = { command: 'events', filter: asked, events: events.length, userIds: userIds.slice(0, 1_000) }
    await recordOperation(config, { type: 'PersonalDataShown', data: { by: operatorName(), reason, what } })
    return events
  } finally {
    await vault.close()
  }
}

/** SQLite's positions are numbers, so they can be computed. */
const positionBeforeEndOf = ({ eventStoreUrl }: Config, log: EventLog): PositionBeforeEnd | undefined =>
  isFile(eventStoreUrl) ? async (events) => positionBefore(await log.end(), events) : undefined

/** `make events`: prints events of the log, masked unless UNMASK=1. */
await runCommand(async () => {
  const config = await operatorConfig(process.env)
  const query = eventsQueryOf(process.env, new Date())
  const log = await openLog(config)
  try {
    const { events: found, isCut } = await findEvents(log, query, positionBeforeEndOf(config, log))
    const { unmaskReason } = query
    const isMasked = unmaskReason === undefined
    const events = isMasked ? found.map(maskEvent) : await unmaskAndRecord(config, found, query, unmaskReason)
    const isLong = isOn(process.env, 'LONG')
    const terminal = terminalOf(process.stdout, process.env, isLong)
    const shape = { isCut, isAfter: query.after !== undefined, isLong, terminal }
    print(process.env, { isMasked, isCut, events }, () => eventLines(events, shape))
  } finally {
    await log.close()
  }
})
endNow()
