import { performance } from 'node:perf_hooks'
import { stampOf } from '@portal/platform/generations/generations'
import { wrapDiskErrors } from '../backup/disk-errors.ts'
import { CommandError, runCommand, stopSignal } from '../command.ts'
import { counted, duration } from '../output/format.ts'
import { endNow, isJsonOutput, print } from '../output/print.ts'
import { reportSteps } from '../output/report-steps.ts'
import { copyProgressText, replayProgressText } from '../restore/copy-progress.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { type Moved, moveLog } from './move-log.ts'

const movedText = ({ from, to, events, readModels }: Moved, tookMs: number): string =>
  [
    `Moved ${counted(events, 'event')} from ${from} to ${to}; ${counted(readModels.length, 'read model')} rebuilt, ${duration(tookMs)}.`,
    `Start the portal with EVENT_STORE_URL set to the new address. ${from} is unchanged: remove it when you no longer need it.`,
  ].join('\n')

/** `make move-log TO=…`: moves log and user keys to another event store, while no portal is running. */
await runCommand(async () => {
  const { env } = process
  const to = env['TO'] ?? ''
  if (!/^(sqlite:|esdb(\+discover)?:\/\/)./.test(to))
    throw new CommandError('TO must be an address: make move-log TO=esdb://host:2113 or TO=sqlite:FILE')
  const config = await operatorConfig(env)
  const begunMs = performance.now()
  // Standard output is for the result.
  const steps = reportSteps(process.stderr, isJsonOutput(env))
  try {
    const moved = await wrapDiskErrors(config.dataDir, () =>
      moveLog({
        config,
        to,
        stamp: stampOf(new Date()),
        signal: stopSignal('Stopped. Run the same command again to continue'),
        onProgress: (progress) => steps.report(progress, () => copyProgressText(progress)),
        onReplay: (progress) => steps.report(progress, () => replayProgressText(progress)),
      }),
    )
    steps.end()
    const tookMs = Math.round(performance.now() - begunMs)
    print(env, { ...moved, tookMs }, () => movedText(moved, tookMs))
  } finally {
    steps.end()
  }
})
endNow()
