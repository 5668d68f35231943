import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Polling, startPolling } from '../async/polling.ts'
import { writeSecretFile } from '../files/durable-write.ts'

/**
 * What operators leave for the process that has the event store to itself (ES-61): a file each, complete and on disk once it has its
 * name. The process handles and then removes it; a crash in between repeats it, which must change nothing then.
 */
export const fileInSpool = (folder: string, id: string): string => join(folder, `${id}.json`)

/** What was refused keeps its file under this name. */
export const rejectedFileOf = (file: string): string => `${file}.refused`

export const writeToSpool = (folder: string, id: string, content: unknown): void => {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeSecretFile(fileInSpool(folder, id), JSON.stringify(content))
}

export type Spool = {
  readonly folder: string
  /** Throws when it should be tried again. */
  readonly handle: (content: unknown) => Promise<'done' | 'refused'>
  readonly logger: Pick<Logger, 'error'>
  readonly rejectedMessage: string
}

const pollMs = 500
const filesPerSweep = 1_000

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Handles what lies in the folder, the oldest first (ids rise with time). Answers how many were done. */
export const handleSpool = async ({ folder, handle, logger, rejectedMessage }: Spool): Promise<number> => {
  if (!existsSync(folder)) return 0
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  let done = 0
  for (const name of names.slice(0, filesPerSweep)) {
    const path = join(folder, name)
    if ((await handle(parsed(await readFile(path, 'utf8')))) === 'done') {
      await rm(path, { force: true })
      done += 1
    } else {
      // Kept for a later look, and out of the way of the others.
      await rename(path, rejectedFileOf(path))
      logger.error({ path }, rejectedMessage)
    }
  }
  return done
}

type WatchedSpool = Spool & { readonly logger: Pick<Logger, 'error' | 'warn'>; readonly failureMessage: string }

/** Handles what lies in the folder until it is stopped. */
export const watchSpool = (spool: WatchedSpool): Polling =>
  startPolling(() => handleSpool(spool).then(() => undefined), {
    everyMs: pollMs,
    onFailure: (err) => spool.logger.warn({ err, folder: spool.folder }, spool.failureMessage),
  })
