import { generationOf, needOf } from '../read-model/generations.ts'
import { isLost } from '../read-model/lost.ts'
import type { ReadModel } from '../read-model/port.ts'
import { controlNamespace } from '../read-model/read-models.ts'
import { type HeldClaim, holdClaim } from './claim.ts'
import type { Leaving } from './hand-over.ts'
import type { ReplayPorts } from './ports.ts'

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

/** Without a read model where it has been emptied or is damaged, as far as the adapter notices. */
export const openLeaving = async (name: string, opened: Opened): Promise<Leaving> => {
  try {
    return { name, readModel: await opened.open(name) }
  } catch (error) {
    if (isLost(error)) return { name, readModel: undefined }
    throw error
  }
}

/** Drops what nobody needs any more. What cannot be dropped now is left to the next run. */
export const dropDroppable = async (claim: HeldClaim, opened: Opened, { drop, logger }: ReplayPorts): Promise<void> => {
  // Still ours, so what we know of the generations is so.
  await claim.change({})
  const { droppable, serving } = claim.generations()
  const needed = needOf(serving)
  const left: string[] = []
  for (const name of droppable) {
    if (needed.has(name)) continue
    try {
      await opened.close(name)
      await drop(name)
    } catch (error) {
      left.push(name)
      logger.warn({ err: error, name }, 'An old generation was not dropped; the next replay will try again')
    }
  }
  await claim.change({ droppable: left })
}

/** As after a run that died. */
const cleanUp = async (claim: HeldClaim, opened: Opened, ports: ReplayPorts): Promise<void> => {
  for (const projection of claim.leftSealed) {
    const left = await openLeaving(generationOf(claim.generations(), projection), opened)
    await left.readModel?.unseal().catch((error: unknown) => {
      if (!isLost(error)) throw error
    })
    ports.logger.warn({ projection }, 'A replay that died had left the read model sealed')
  }
  await dropDroppable(claim, opened, ports)
}

/** Nobody else builds or switches generations meanwhile. What the work leaves behind is dropped, whether it fails or not. */
export const runWithClaim = async <T>(
  ports: ReplayPorts,
  work: (claim: HeldClaim, opened: Opened, control: ReadModel) => Promise<T>,
): Promise<T> => {
  const opened = createOpened(ports.open)
  try {
    const control = await opened.open(controlNamespace)
    const claim = await holdClaim(control)
    try {
      await cleanUp(claim, opened, ports)
      return await work(claim, opened, control)
    } finally {
      await dropDroppable(claim, opened, ports).catch((error: unknown) => {
        ports.logger.warn({ err: error }, 'What was begun is left to the next replay to drop')
      })
      await claim.release()
    }
  } finally {
    await opened.closeAll()
  }
}
