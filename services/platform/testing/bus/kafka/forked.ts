import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a program of this folder; resolves when it has sent its first message. */
export const forkUntilReady = async (program: string, args: readonly string[]): Promise<ChildProcess> => {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args, { execArgv: [] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code} before it was ready`)
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return child
}

/** As a crash of the machine would end it. */
export const killNow = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
