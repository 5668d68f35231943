import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Polling, startPolling } from '../async/polling.ts'
import { writeSecretFile } from '../files/durable-write.ts'

/**
 * Requests of operators to the process that has the event store to itself: a file each, complete and on disk once it has its name. The
 * process handles and then removes it; a crash in between repeats the request, which must change nothing then.
 */
export const requestFileIn = (folder: string, id: string): string => join(folder, `${id}.json`)

export const leaveRequest = (folder: string, id: string, request: unknown): void => {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeSecretFile(requestFileIn(folder, id), JSON.stringify(request))
}

/** A request that was refused keeps its file under this name. */
export const refusedFileOf = (requestFile: string): string => `${requestFile}.refused`

type Handling = {
  readonly folder: string
  /** Throws when it should be tried again. */
  readonly handle: (request: unknown) => Promise<'done' | 'refused'>
  readonly logger: Pick<Logger, 'error' | 'warn'>
}

const pollMs = 500
const requestsPerSweep = 100

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Handles what lies in the folder, the oldest first (ids rise with time). */
export const handleRequests = async ({ folder, handle, logger }: Handling): Promise<void> => {
  if (!existsSync(folder)) return
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  for (const name of names.slice(0, requestsPerSweep)) {
    const path = join(folder, name)
    if ((await handle(parsed(await readFile(path, 'utf8')))) === 'done') {
      await rm(path, { force: true })
    } else {
      await rename(path, refusedFileOf(path))
      logger.error({ path }, 'operator request refused')
    }
  }
}

/** Handles requests until it is stopped. */
export const startHandlingRequests = (handling: Handling): Polling => {
  const { folder, logger } = handling
  return startPolling(() => handleRequests(handling), {
    everyMs: pollMs,
    onFailure: (error) => logger.warn({ err: error, folder }, 'operator request failed, retrying'),
  })
}
