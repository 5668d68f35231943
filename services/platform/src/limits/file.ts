import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import { yieldToEventLoop } from '../async/event-loop-budget.ts'
import { startPolling } from '../async/polling.ts'
import type { Timers } from '../async/timers.ts'
import { createLimiters } from './limiters.ts'
import { memoryCountersByName, type OpenWindow } from './memory.ts'
import type { AttemptLimiters, RejectionCounter } from './port.ts'

const saveEveryMs = 30_000
/** Of each limit. A save takes about a millisecond for each thousand. */
const maxSaved = 1_000

const windowSchema = z.object({
  key: z.string(),
  attempts: z.number().int().nonnegative(),
  max: z.number().nonnegative(),
  leftMs: z.number(),
})
const savedSchema = z.object({ savedAt: z.iso.datetime(), limits: z.record(z.string(), z.array(windowSchema)) })
type Saved = z.infer<typeof savedSchema>

type FileLimitersOptions = {
  readonly file: string
  /** A keyed hash, because keys are e-mail addresses, phone numbers and IP addresses. */
  readonly hashOf: (key: string) => string
  readonly elapsedMs: () => number
  readonly now: () => Date
  readonly logger: Pick<Logger, 'warn'>
  readonly rejectionsOf?: ((name: string) => RejectionCounter) | undefined
  readonly timers?: Timers
}

/** Below half of a limit, forgetting costs little: a caller gets at most that half once more. */
const isWorthSaving = ({ attempts, max }: Pick<OpenWindow, 'attempts' | 'max'>): boolean => attempts * 2 >= max

const readSaved = async (file: string, logger: Pick<Logger, 'warn'>): Promise<Saved | undefined> => {
  try {
    return savedSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (err) {
    const isMissing = err instanceof Error && 'code' in err && err.code === 'ENOENT'
    if (!isMissing) logger.warn({ err }, 'kept limits are not readable, counting from zero')
    return undefined
  }
}

/** Time while the process was down counts, unless the clock was set back. */
const restored = ({ savedAt, limits }: Saved, now: Date): ReadonlyMap<string, readonly OpenWindow[]> => {
  const passedMs = Math.max(0, now.getTime() - Date.parse(savedAt))
  return new Map(
    Object.entries(limits).map(([name, windows]) => [
      name,
      windows.map((window) => ({ ...window, leftMs: window.leftMs - passedMs })).filter(({ leftMs }) => leftMs > 0),
    ]),
  )
}

/** Not synced to disk: after a power failure, an older file is as good. */
const replaceFile = async (file: string, content: string): Promise<void> => {
  await writeFile(`${file}.tmp`, content, { mode: 0o600 })
  await rename(`${file}.tmp`, file)
}

/**
 * Limits for a standalone portal: counted in memory, saved to a file twice a minute and at the end. So a restart forgets no limit that
 * was reached, and an attempt never waits for the disk.
 */
export const openFileLimiters = async (
  options: FileLimitersOptions,
): Promise<AttemptLimiters & { close(): Promise<void> }> => {
  const { file, hashOf, elapsedMs, now, logger, rejectionsOf, timers } = options
  // Only here: a save must not make a folder where a mount has vanished.
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const saved = await readSaved(file, logger)
  const counters = memoryCountersByName(elapsedMs, saved && { open: restored(saved, now()) })

  const limiters = createLimiters({ counters: counters.of, keyOf: (_name, key) => hashOf(key), rejectionsOf })
  const forgotten = new Set<string>()

  let savedChanges = 0
  const save = async (): Promise<void> => {
    const changes = counters.changes()
    if (changes === savedChanges) return
    const limits: Saved['limits'] = {}
    for (const { name, openWindows } of counters.all()) {
      if (!forgotten.has(name)) limits[name] = openWindows(isWorthSaving).slice(-maxSaved)
      await yieldToEventLoop()
    }
    await replaceFile(file, JSON.stringify({ savedAt: now().toISOString(), limits } satisfies Saved))
    savedChanges = changes
  }
  const warn = (err: unknown): void => logger.warn({ err }, 'limits could not be saved')
  const saving = startPolling(save, { everyMs: saveEveryMs, onFailure: warn, ...(timers && { timers }) })

  return {
    of: (name, limit) => {
      if (limit.isForgottenAtRestart) forgotten.add(name)
      return limiters.of(name, limit)
    },
    close: async () => {
      await saving.stop()
      await save().catch(warn)
    },
  }
}
