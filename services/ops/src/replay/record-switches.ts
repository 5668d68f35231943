import { recordOperation } from '@portal/platform/operations/record-operation'
import type { RolledBack } from '@portal/platform/generations/rollback'
import type { Config } from '@portal/platform/settings/config'
import type { Environment } from '../output/print.ts'
import { operatorAndReason } from '../settings/operator-config.ts'

/** Records each switch with the operator and REASON='…'. Called after the switch, which happens even if recording fails. */
export const recordSwitches = async (
  config: Config,
  environment: Environment,
  command: 'replay' | 'replay-back',
  switched: readonly RolledBack[],
): Promise<void> => {
  const who = operatorAndReason(environment)
  for (const { projection, previous: from, generation: to } of switched) {
    await recordOperation(config, {
      type: 'ReadModelSwitched',
      data: { ...who, what: { command, projection, from, to } },
    })
  }
}
