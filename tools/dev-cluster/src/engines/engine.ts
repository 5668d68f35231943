import { findCommand, missingCommands, type RequiredCommand } from '@portal/ops/dev-engines/required-commands'

/** A server that the portal needs, running on this machine. */
export type Engine = {
  readonly name: string
  /** What EVENT_STORE_URL, BUS_URL or READ_MODEL_URL is set to. */
  readonly url: string
  /** Of the server, now: another one after a restart. Undefined while it is down, and of one in a container. */
  readonly pid: number | undefined
  /** SIGKILL: as if the power went. Resolves when it is gone. */
  kill(): Promise<void>
  /** On the same port, with the same data, after it was killed, or stopping it first. Resolves when it serves. */
  restart(): Promise<void>
  /** The data stays. */
  stop(): Promise<void>
}

/**
 * 'caller': it ends with the process that started it. 'detached': it lives on, until its process id is stopped.
 */
export type Lifetime = 'caller' | 'detached'

export type EngineOptions = {
  /** For its data and its log. */
  readonly folder: string
  /** A free one, if not given. */
  readonly port?: number | undefined
  readonly lifetime?: Lifetime | undefined
}

/** An engine could not be started. The message is one line that says what to do, meant for whoever runs make. */
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
