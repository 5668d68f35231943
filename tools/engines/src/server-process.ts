import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, EngineError, type Lifetime } from './engine.ts'

type ServerRecipe = {
  /** Shown in messages, such as 'Redis'. */
  readonly name: string
  readonly url: string
  readonly folder: string
  readonly command: string
  readonly args: readonly string[]
  /** Added to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>
  /** Resolves if the server is ready, rejects if not. */
  readonly ping: () => Promise<void>
  readonly startTimeoutMs: number
  readonly lifetime?: Lifetime | undefined
}

const pingIntervalMs = 50
const stopTimeoutMs = 20_000
const lastLines = 5

/** Pings until it succeeds. After `timeoutMs`, throws the error of the last ping. Stops early if `assertAlive` throws. */
export const waitUntilAnswers = async (
  ping: () => Promise<void>,
  timeoutMs: number,
  assertAlive: () => void = () => undefined,
): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const failure = await ping().then(
      () => undefined,
      (error: unknown) => error ?? new Error('no answer'),
    )
    assertAlive()
    if (failure === undefined) return
    if (Date.now() > deadline) throw failure
    await new Promise((resolve) => setTimeout(resolve, pingIntervalMs))
  }
}

const lastLinesOf = (logFile: string): string =>
  readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLines).join(' | ')

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const launch = async (
  { command, args, environment, folder, lifetime }: ServerRecipe,
  logFile: string,
): Promise<ChildProcess> => {
  mkdirSync(folder, { recursive: true })
  const log = openSync(logFile, 'a')
  try {
    const isDetached = lifetime === 'detached'
    const env = { ...process.env, ...environment }
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', log, log], detached: isDetached })
    await once(child, 'spawn')
    if (isDetached) child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

const waitUntilServing = async (child: ChildProcess, recipe: ServerRecipe, logFile: string): Promise<void> => {
  const { name, ping, startTimeoutMs } = recipe
  // Checked after each ping, because another server may answer on a port that this one could not open.
  const assertAlive = () => {
    if (hasEnded(child)) throw new EngineError(`${name} exited during its start: ${lastLinesOf(logFile)}`)
  }
  try {
    await waitUntilAnswers(ping, startTimeoutMs, assertAlive)
  } catch (cause) {
    child.kill('SIGKILL')
    if (cause instanceof EngineError) throw cause
    throw new EngineError(`${name} was not ready after ${startTimeoutMs} ms (${cause}); see its log ${logFile}`, {
      cause,
    })
  }
}

/** Starts a server process with a log in its folder, and waits until it is ready. */
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
