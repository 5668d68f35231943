import { findCommand, missingCommands, type RequiredCommand } from './required-commands.ts'

/** A server that the portal needs, running on this machine. */
export type Engine = {
  readonly name: string
  /** The value for EVENT_STORE_URL, BUS_URL or READ_MODEL_URL. */
  readonly url: string
  /** The current process id of the server. Undefined while it is down, and for a container. */
  readonly pid: number | undefined
  /** Sends SIGKILL. Resolves when the server has ended. */
  kill(): Promise<void>
  /** Starts the server on the same port with the same data, and stops it first if it runs. Resolves when it is ready. */
  restart(): Promise<void>
  /** Stops the server and keeps its data. */
  stop(): Promise<void>
}

/** 'caller': ends with the process that started it. 'detached': runs until its process is stopped. */
export type Lifetime = 'caller' | 'detached'

export type EngineOptions = {
  /** Holds its data and its log. */
  readonly folder: string
  /** A free port by default. */
  readonly port?: number | undefined
  readonly lifetime?: Lifetime | undefined
}

/** An engine could not be started. The message is one line for the user of make, and says what to do. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly isUserFacing = true
}

/** The command's path. Throws an EngineError that says how to install it. */
export const requireCommand = (command: RequiredCommand): string => {
  const path = findCommand(command)
  if (path === undefined) throw new EngineError(missingCommands([command]).join(''))
  return path
}
