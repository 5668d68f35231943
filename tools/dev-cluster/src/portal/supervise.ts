import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { CommandError } from '@portal/ops/command'
import { type FirstAdminShown, type StartReport, startReportSchema } from '@portal/platform/runtime/start-report'
import type { PlannedProcess } from './plan.ts'

const minPauseMs = 200
const maxPauseMs = 5_000
/** A process that has run for this long is restarted without a pause. */
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

/** Longer lines are split. */
const maxLineChars = 64 * 1024

/** Copies the output of a process line by line, with its name as a prefix. */
const prefixLines = (from: Readable, to: Writable, prefix: string): void => {
  let rest = ''
  const pass = (line: string): void => void to.write(`${prefix}${line}\n`)
  from.setEncoding('utf8')
  from.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) pass(line)
    if (rest.length > maxLineChars) {
      pass(rest)
      rest = ''
    }
  })
  from.on('end', () => {
    if (rest !== '') pass(rest)
  })
}

/** In a separate process group, so that Ctrl-C reaches only the supervisor, which stops its processes in order. */
const start = ({ name, program, settings }: PlannedProcess): ChildProcess => {
  // kafkajs sets negative timeouts, about which Node warns; see its issue 1751.
  const child = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', program], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const prefix = `${`[${name}]`.padEnd(16)} `
  if (child.stdout) prefixLines(child.stdout, process.stdout, prefix)
  if (child.stderr) prefixLines(child.stderr, process.stderr, prefix)
  return child
}

/** Keeps a process of the portal running until it is stopped. */
export const supervise = (planned: PlannedProcess, printLine: PrintLine): Supervised => {
  const { name } = planned
  const { promise: ready, resolve, reject } = Promise.withResolvers<StartReport>()
  let isStopping = false
  let hasServed = false
  let crashes = 0
  let timer: NodeJS.Timeout | undefined
  let child: ChildProcess

  const restart = (): void => {
    const pauseMs = crashes === 0 ? 0 : Math.min(minPauseMs * 2 ** (crashes - 1), maxPauseMs)
    timer = setTimeout(run, pauseMs)
  }

  const run = (): void => {
    const startedAtMs = performance.now()
    const current = start(planned)
    child = current
    current.on('message', (message) => {
      const report = startReportSchema.safeParse(message)
      if (!report.success) return
      if (hasServed) printLine(`${name} serves again`)
      hasServed = true
      resolve(report.data)
    })
    current.once('exit', () => {
      if (isStopping) return
      if (!hasServed)
        return reject(new CommandError(`The portal could not start: ${name} ended ${describeExit(current)}`))
      crashes = performance.now() - startedAtMs > stableMs ? 0 : crashes + 1
      printLine(`${name} ended ${describeExit(current)}; restarting it`)
      restart()
    })
  }
  run()

  return {
    ready,
    firstAdminShown: () => {
      const message: FirstAdminShown = { kind: 'first-admin-shown' }
      child.send(message)
    },
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      if (hasEnded(child)) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await exited
      clearTimeout(late)
      // During its start, the process may not handle SIGTERM yet and ends by the signal.
      if (child.exitCode !== 0 && child.signalCode !== 'SIGTERM')
        throw new Error(`${name} ended ${describeExit(child)}`)
    },
  }
}
