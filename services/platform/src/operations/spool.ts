import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { EventStore } from '../event-store/port.ts'
import { writeSecretFile } from '../files/durable-write.ts'
import { appendOperation, type IdentifiedOperation, identifiedOperationSchema } from './operation.ts'

/**
 * Where operations wait to be recorded while another process has the event store to itself (ES-61): a file each, complete and
 * on disk once it has its name. Whoever has the store appends them and then removes the file; being cut off in between
 * repeats the append, which changes nothing.
 */
export const spoolFolderIn = (dataDir: string): string => join(dataDir, 'operations')

const filesPerSweep = 1_000

export const leaveInSpool = (folder: string, left: IdentifiedOperation): void => {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  writeSecretFile(join(folder, `${left.id}.json`), JSON.stringify(left))
}

const parse = (text: string): IdentifiedOperation | undefined => {
  try {
    return identifiedOperationSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Records what lies in the spool, the oldest first (ids rise with time). Answers how many it recorded. */
export const recordFromSpool = async (
  folder: string,
  eventStore: Pick<EventStore, 'append'>,
  logger: Pick<Logger, 'error'>,
): Promise<number> => {
  if (!existsSync(folder)) return 0
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  let recorded = 0
  for (const name of names.slice(0, filesPerSweep)) {
    const path = join(folder, name)
    const left = parse(await readFile(path, 'utf8'))
    if (left === undefined) {
      // Kept for whoever wants to know what it was, and out of the way of the others.
      await rename(path, `${path}.refused`)
      logger.error({ path }, 'What was left to be recorded is no operation')
      continue
    }
    await appendOperation(eventStore, left)
    await rm(path, { force: true })
    recorded += 1
  }
  return recorded
}
