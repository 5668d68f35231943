import type { Logger } from 'pino'
import type { Publisher } from '../bus/publisher.ts'
import type { EventStore } from '../event-store/port.ts'
import { isDataLoss } from '../read-model/errors.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { ReplacedGeneration } from './cutover.ts'
import { neededNamespaces } from './generations.ts'
import { controlNamespace } from './open-generations.ts'
import { acquireReplayLock, type HeldReplayLock } from './replay-lock.ts'

/** The dependencies of a replay. None of them can send anything, and it writes only read models. */
export type ReplayPorts = {
  readonly log: Pick<EventStore, 'subscribe' | 'end'>
  readonly publishers: readonly Publisher[]
  /** Opens a namespace. The caller closes it. */
  open(namespace: string): Promise<ReadModel>
  drop(namespace: string): Promise<void>
  /** The bus reads the log itself, so log positions are its cursors. */
  readonly busIsLog: boolean
  readonly logger: Logger
}

/** The namespaces that a run has opened. */
const createOpened = (open: ReplayPorts['open']) => {
  const opened = new Map<string, ReadModel>()
  const close = async (namespace: string): Promise<void> => {
    const readModel = opened.get(namespace)
    opened.delete(namespace)
    await readModel?.close()
  }
  return {
    open: async (namespace: string): Promise<ReadModel> => {
      const readModel = opened.get(namespace) ?? (await open(namespace))
      opened.set(namespace, readModel)
      return readModel
    },
    close,
    closeAll: async (): Promise<void> => void (await Promise.allSettled([...opened.keys()].map(close))),
  }
}
export type Opened = ReturnType<typeof createOpened>

/** Without a read model if it was emptied or is damaged. */
export const openReplaced = async (name: string, opened: Opened): Promise<ReplacedGeneration> => {
  try {
    return { name, readModel: await opened.open(name) }
  } catch (error) {
    if (isDataLoss(error)) return { name, readModel: undefined }
    throw error
  }
}

/** Drops unneeded generations. The next run retries those that cannot be dropped now. */
const dropUnneeded = async (lock: HeldReplayLock, opened: Opened, { drop, logger }: ReplayPorts): Promise<void> => {
  // Fails if the lock was lost. If not, the known generations are up to date.
  await lock.change({})
  const { droppable, serving } = lock.generations()
  const needed = neededNamespaces(serving)
  const left: string[] = []
  for (const name of droppable) {
    if (needed.has(name)) continue
    try {
      await opened.close(name)
      await drop(name)
    } catch (error) {
      left.push(name)
      logger.warn({ err: error, name }, 'old generation not dropped, the next replay will retry')
    }
  }
  await lock.change({ droppable: left })
}

/** Runs the work while no other process builds or switches generations. Drops unneeded generations before and afterwards, even if the work fails. */
export const runWithReplayLock = async <T>(
  ports: ReplayPorts,
  work: (lock: HeldReplayLock, opened: Opened, control: ReadModel) => Promise<T>,
): Promise<T> => {
  const opened = createOpened(ports.open)
  try {
    const control = await opened.open(controlNamespace)
    const lock = await acquireReplayLock(control)
    try {
      await dropUnneeded(lock, opened, ports)
      return await work(lock, opened, control)
    } finally {
      await dropUnneeded(lock, opened, ports).catch((error: unknown) => {
        ports.logger.warn({ err: error }, 'unneeded generations not dropped, the next replay will retry')
      })
      await lock.release()
    }
  } finally {
    await opened.closeAll()
  }
}
