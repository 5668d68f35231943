import { operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import type { Config } from '@portal/platform/settings/config'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { positionBefore } from '@portal/platform/event-store/sqlite/position'
import { runCommand } from '../command.ts'
import { endNow, print } from '../output/print.ts'
import { type EventLog, openExistingVault, openLog } from '../settings/open-engines.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { findEvents, type LookBack } from './find-events.ts'
import { eventLines, maskEvent, type ShownEvent } from './mask.ts'
import { type EventsQuery, eventsQueryOf } from './query.ts'
import { unmaskEvents } from './unmask.ts'

/** With personal data only after it is on record that it was shown, and why. */
const unmasked = async (
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

/** Positions of a store in a file can be reckoned with. */
const lookBackIn = ({ eventStoreUrl }: Config, log: EventLog): LookBack | undefined =>
  isFile(eventStoreUrl) ? async (events) => positionBefore(await log.end(), events) : undefined

/** `make events`: what is in the log, masked unless asked for otherwise. */
await runCommand(async () => {
  const config = await operatorConfig(process.env)
  const query = eventsQueryOf(process.env, new Date())
  const log = await openLog(config)
  try {
    const { events: found, isCut } = await findEvents(log, query, lookBackIn(config, log))
    const { unmaskReason } = query
    const isMasked = unmaskReason === undefined
    const events = isMasked ? found.map(maskEvent) : await unmasked(config, found, query, unmaskReason)
    print(process.env, { isMasked, isCut, events }, () => eventLines(events, isCut, query.after !== undefined))
  } finally {
    await log.close()
  }
})
endNow()
