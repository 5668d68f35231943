import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Polling, startPolling } from '../async/polling.ts'
import { writeSecretFile } from '../files/durable-write.ts'
import { parseJson } from '../files/parse-json.ts'

/**
 * Requests of commands to the process that owns the event store (ES-61). Each is a file, renamed when it is complete and on disk. The
 * process handles the file and then removes it. A crash in between repeats it, so handling must be idempotent.
 */
export const fileInSpool = (folder: string, id: string): string => join(folder, `${id}.json`)

/** A rejected file is kept under this name. */
export const rejectedFileOf = (file: string): string => `${file}.refused`

export const writeToSpool = (folder: string, id: string, content: unknown): void => {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeSecretFile(fileInSpool(folder, id), JSON.stringify(content))
}

export type Spool = {
  readonly folder: string
  /** Throws if it should be retried. */
  readonly handle: (content: unknown) => Promise<'done' | 'rejected'>
  readonly logger: Pick<Logger, 'error'>
  readonly rejectedMessage: string
}

const pollMs = 500
const filesPerSweep = 1_000

/** Handles the files of the folder, oldest first, because ids sort by time. Returns the number of handled files. */
export const handleSpool = async ({ folder, handle, logger, rejectedMessage }: Spool): Promise<number> => {
  if (!existsSync(folder)) return 0
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  let done = 0
  for (const name of names.slice(0, filesPerSweep)) {
    const path = join(folder, name)
    if ((await handle(parseJson(await readFile(path, 'utf8')))) === 'done') {
      await rm(path, { force: true })
      done += 1
    } else {
      // Kept for the operator, and no longer read.
      await rename(path, rejectedFileOf(path))
      logger.error({ path }, rejectedMessage)
    }
  }
  return done
}

type WatchedSpool = Spool & { readonly logger: Pick<Logger, 'error' | 'warn'>; readonly failureMessage: string }

/** Polls the folder and handles its files until it is stopped. */
export const watchSpool = (spool: WatchedSpool): Polling =>
  startPolling(() => handleSpool(spool).then(() => undefined), {
    everyMs: pollMs,
    onFailure: (err) => spool.logger.warn({ err, folder: spool.folder }, spool.failureMessage),
  })
