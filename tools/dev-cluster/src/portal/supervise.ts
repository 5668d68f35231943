import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { CommandError } from '@portal/ops/command'
import { createBackoff } from '@portal/platform/async/backoff'
import { type FirstAdminShown, type StartReport, startReportSchema } from '@portal/platform/runtime/start-report'
import type { PlannedProcess } from './plan.ts'

const restartPauses = { firstMs: 200, maxMs: 5_000 }
/** A process that has run for this long is restarted after the first pause again. */
const stableMs = 30_000
/** How long a process may take to stop before it is killed. */
const stopTimeoutMs = 15_000

export type Supervised = {
  /** Resolves when the process is ready for the first time. Rejects if it ends before. */
  readonly ready: Promise<StartReport>
  /** Notifies auth that the first admin has been shown. */
  firstAdminShown(): void
  /** Stops the process. Rejects if it had to be killed or failed. */
  stop(): Promise<void>
}

/** Prints a line for the user who started the portal. */
type PrintLine = (line: string) => void

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const describeExit = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode === null ? `with code ${exitCode}` : `by ${signalCode}`

/** Starts a process in its own group, so that Ctrl-C reaches only the supervisor, which stops its processes in order. */
const start = ({ name, program, settings }: PlannedProcess): ChildProcess => {
  // kafkajs sets negative timeouts, about which Node warns; see its issue 1751.
  const child = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', program], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const prefix = `[${name}]`.padEnd(16)
  for (const output of ['stdout', 'stderr'] as const) {
    const input = child[output]
    if (input) createInterface({ input }).on('line', (line) => process[output].write(`${prefix} ${line}\n`))
  }
  return child
}

/** Keeps a process of the portal running until it is stopped. */
export const supervise = (planned: PlannedProcess, printLine: PrintLine): Supervised => {
  const { name } = planned
  const { promise: ready, resolve, reject } = Promise.withResolvers<StartReport>()
  const backoff = createBackoff(restartPauses)
  const stopping = new AbortController()
  let hasServed = false
  let child = start(planned)

  const onMessage = (message: unknown): void => {
    const report = startReportSchema.safeParse(message)
    if (!report.success) return
    if (hasServed) printLine(`${name} serves again`)
    hasServed = true
    resolve(report.data)
  }
  const keepRunning = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAtMs = performance.now()
      await once(child.on('message', onMessage), 'exit')
      if (stopping.signal.aborted) return
      if (!hasServed)
        return reject(new CommandError(`The portal could not start: ${name} ended ${describeExit(child)}`))
      printLine(`${name} ended ${describeExit(child)}; restarting it`)
      if (performance.now() - startedAtMs > stableMs) backoff.reset()
      await backoff.pause(stopping.signal)
      if (!stopping.signal.aborted) child = start(planned)
    }
  }
  const ended = keepRunning()

  return {
    ready,
    firstAdminShown: () => {
      const message: FirstAdminShown = { kind: 'first-admin-shown' }
      child.send(message)
    },
    stop: async () => {
      stopping.abort()
      if (hasEnded(child)) return
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(late)
      // During its start, the process may not handle SIGTERM yet and ends by the signal.
      if (child.exitCode !== 0 && child.signalCode !== 'SIGTERM')
        throw new Error(`${name} ended ${describeExit(child)}`)
    },
  }
}
