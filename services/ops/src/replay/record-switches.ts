import { mostReasonChars, operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import type { RolledBack } from '@portal/platform/generations/rollback'
import type { Config } from '@portal/platform/settings/config'

type Settings = Readonly<Record<string, string | undefined>>

/** Who let other read models serve, and REASON='…' why. Behind the switch: that has happened, whatever becomes of this. */
export const recordSwitches = async (
  config: Config,
  environment: Settings,
  command: 'replay' | 'replay-back',
  switched: readonly RolledBack[],
): Promise<void> => {
  const reason = (environment['REASON'] ?? '').trim().slice(0, mostReasonChars)
  const who = { by: operatorName(), ...(reason !== '' && { reason }) }
  for (const { projection, previous: from, generation: to } of switched) {
    await recordOperation(config, {
      type: 'ReadModelSwitched',
      data: { ...who, what: { command, projection, from, to } },
    })
  }
}
