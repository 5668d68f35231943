import { performance } from 'node:perf_hooks'
import { replay } from '@portal/platform/generations/replay'
import { stampOf } from '@portal/platform/generations/generations'
import { runCommand, stopSignal } from '../command.ts'
import { endNow, isOn, print } from '../output/print.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { requireIntactFiles } from './intact-files.ts'
import { openReplayPorts, requireOwnLog } from './open-replay-ports.ts'
import { withDifferingData } from './differing-data.ts'
import { planReplay } from './plan-replay.ts'
import { planText, replayText } from './present-replay.ts'
import { chosenProjections, repairedConsumers } from './replayed-projections.ts'
import { recordSwitches } from './record-switches.ts'
import { reportProgress } from './report-progress.ts'

/** `make replay`: rebuilds read models from the log; the portal may be running. Exit code 1 if one was not switched. */
await runCommand(async () => {
  const { env } = process
  const isJson = isOn(env, 'JSON')
  const config = await operatorConfig(env)
  const projections = chosenProjections(env)
  const stamp = stampOf(new Date())
  await requireIntactFiles(config)
  const ports = await openReplayPorts(config)
  try {
    await requireOwnLog(config, ports)
    if (isOn(env, 'DRY_RUN')) {
      const plan = await planReplay(config, ports, projections, stamp)
      print(env, plan, () => planText(plan))
      return
    }
    const startedAtMs = performance.now()
    const progress = reportProgress(isJson ? process.stdout : process.stderr, isJson)
    const { onProgress } = progress
    const force = isOn(env, 'FORCE')
    const others = repairedConsumers(env, config)
    const signal = stopSignal('Canceled; the active generation is unchanged')
    const running = replay({
      ...ports,
      projections,
      ...(others && { otherConsumers: others }),
      stamp,
      force,
      signal,
      onProgress,
      onSwitched: (switched) => recordSwitches(config, env, 'replay', switched),
    })
    const results = await withDifferingData(ports.log, await running.finally(progress.end), signal)
    const tookMs = Math.round(performance.now() - startedAtMs)
    if (isJson) process.stdout.write(`${JSON.stringify({ step: 'done', tookMs, results })}\n`)
    else process.stdout.write(`${replayText(results, tookMs)}\n`)
    if (results.some(({ outcome }) => outcome === 'refused')) process.exitCode = 1
  } finally {
    await ports.close()
  }
})
endNow()
