import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, EngineError, type Lifetime } from './engine.ts'

type ServerRecipe = {
  /** 'Redis', for messages. */
  readonly name: string
  readonly url: string
  readonly folder: string
  readonly command: string
  readonly args: readonly string[]
  /** Resolves when it serves, rejects while it does not yet. */
  readonly ping: () => Promise<void>
  readonly startTimeoutMs: number
  readonly lifetime?: Lifetime | undefined
}

const betweenPingsMs = 50
const stopTimeoutMs = 20_000
const lastLines = 5

/** Pings until it answers. Throws what the last ping said, after `timeoutMs` or when `mayGoOn` throws. */
export const waitUntilAnswers = async (
  ping: () => Promise<void>,
  timeoutMs: number,
  mayGoOn: () => void = () => undefined,
): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const refusal = await ping().then(
      () => undefined,
      (error: unknown) => error ?? new Error('no answer'),
    )
    mayGoOn()
    if (refusal === undefined) return
    if (Date.now() > deadline) throw refusal
    await new Promise((resolve) => setTimeout(resolve, betweenPingsMs))
  }
}

const endOf = (logFile: string): string =>
  readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLines).join(' | ')

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const launch = async ({ command, args, folder, lifetime }: ServerRecipe, logFile: string): Promise<ChildProcess> => {
  mkdirSync(folder, { recursive: true })
  const log = openSync(logFile, 'a')
  try {
    const isDetached = lifetime === 'detached'
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log], detached: isDetached })
    await once(child, 'spawn')
    if (isDetached) child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

const waitUntilServing = async (child: ChildProcess, recipe: ServerRecipe, logFile: string): Promise<void> => {
  const { name, ping, startTimeoutMs } = recipe
  // Looked at after each ping: another server may answer on the port that this one could not take.
  const mayGoOn = () => {
    if (hasEnded(child)) throw new EngineError(`${name} ended instead of starting: ${endOf(logFile)}`)
  }
  try {
    await waitUntilAnswers(ping, startTimeoutMs, mayGoOn)
  } catch (cause) {
    child.kill('SIGKILL')
    if (cause instanceof EngineError) throw cause
    throw new EngineError(`${name} did not serve within ${startTimeoutMs} ms (${cause}); its log is ${logFile}`, {
      cause,
    })
  }
}

/** Starts a server as a process of its own, with a log in its folder, and waits until it serves. */
export const startServer = async (recipe: ServerRecipe): Promise<Engine> => {
  const logFile = join(recipe.folder, 'server.log')
  let child: ChildProcess | undefined
  const killWithCaller = () => void child?.kill('SIGKILL')

  const start = async () => {
    child = await launch(recipe, logFile)
    await waitUntilServing(child, recipe, logFile)
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = child
    if (!ending || hasEnded(ending)) return
    const exited = once(ending, 'exit')
    ending.kill(signal)
    const late = setTimeout(() => ending.kill('SIGKILL'), stopTimeoutMs)
    await exited
    clearTimeout(late)
  }

  await start()
  if (recipe.lifetime !== 'detached') process.once('exit', killWithCaller)
  return {
    name: recipe.name,
    url: recipe.url,
    get pid() {
      return child && !hasEnded(child) ? child.pid : undefined
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM')
      await start()
    },
    stop: async () => {
      await end('SIGTERM')
      process.off('exit', killWithCaller)
    },
  }
}
