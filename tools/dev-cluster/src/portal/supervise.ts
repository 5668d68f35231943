import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { CommandError } from '@portal/ops/command'
import { type FirstAdminShown, type StartReport, startReportSchema } from '@portal/platform/runtime/start-report'
import type { Planned } from './plan.ts'

const minPauseMs = 200
const maxPauseMs = 5_000
/** Who has served for so long is started again without a pause. */
const steadyMs = 30_000
/** How long the end of a process may take before it is made to end. */
const stopTimeoutMs = 15_000

export type Supervised = {
  /** Of the first start. Rejects when the process ends before it serves. */
  readonly serving: Promise<StartReport>
  /** Tells auth that the first admin has been shown. */
  firstAdminShown(): void
  /** Ends it and starts it no more. Rejects when it had to be made to. */
  stop(): Promise<void>
}

/** Tells whoever started the portal. */
type Say = (line: string) => void

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const howItEnded = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode === null ? `with code ${exitCode}` : `by ${signalCode}`

/** A longer line is written in parts. */
const maxLineChars = 64 * 1024

/** Copies the output of a process line by line, each with its name in front. */
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

/** In a group of its own: Ctrl-C at the terminal is for the supervisor, which ends its processes in order. */
const start = ({ name, program, settings }: Planned): ChildProcess => {
  // kafkajs sets timers that Node warns of; see its issue 1751.
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
export const supervise = (planned: Planned, say: Say): Supervised => {
  const { name } = planned
  const { promise: serving, resolve, reject } = Promise.withResolvers<StartReport>()
  let isStopping = false
  let hasServed = false
  let deaths = 0
  let timer: NodeJS.Timeout | undefined
  let child: ChildProcess

  const startAgain = (): void => {
    const pauseMs = deaths === 0 ? 0 : Math.min(minPauseMs * 2 ** (deaths - 1), maxPauseMs)
    timer = setTimeout(run, pauseMs)
  }

  const run = (): void => {
    const startedAtMs = performance.now()
    const current = start(planned)
    child = current
    current.on('message', (message) => {
      const report = startReportSchema.safeParse(message)
      if (!report.success) return
      if (hasServed) say(`${name} serves again`)
      hasServed = true
      resolve(report.data)
    })
    current.once('exit', () => {
      if (isStopping) return
      if (!hasServed)
        return reject(new CommandError(`The portal could not start: ${name} ended ${howItEnded(current)}`))
      deaths = performance.now() - startedAtMs > steadyMs ? 0 : deaths + 1
      say(`${name} ended ${howItEnded(current)}; starting it again`)
      startAgain()
    })
  }
  run()

  return {
    serving,
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
      // By the signal itself, where it had not come far enough to end in order.
      if (child.exitCode !== 0 && child.signalCode !== 'SIGTERM') throw new Error(`${name} ended ${howItEnded(child)}`)
    },
  }
}
