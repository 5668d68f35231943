import { copyLog, type CopyOptions } from '../backup/copy-log.ts'
import type { OpenCopyTarget } from '../backup/copy-targets.ts'
import { readUserKeys } from '../personal-data/stored-user-keys.ts'
import type { UserKeysTarget } from '../personal-data/user-keys-target.ts'
import { type CopyingRun, type RestoreMark, type RestoreMarks, unfinished } from './restore-mark.ts'

type StoreSource = {
  readonly log: CopyOptions['from']
  /** A database of user keys that no process writes to. */
  readonly keysFile: string
}

/** The event store to copy into. Opening its log or keys creates them. */
export type StoreTarget = {
  readonly marks: RestoreMarks
  openLog(): Promise<OpenCopyTarget>
  openKeys(): Promise<UserKeysTarget>
}

export type CopyStep = 'marked' | 'batch copied' | 'log copied' | 'keys copied' | 'copied'

type CopyStoreOptions = {
  readonly source: StoreSource
  readonly target: StoreTarget
  /** The content of the mark. A resumed run keeps the `id` of its first attempt. */
  readonly run: CopyingRun
  readonly signal: AbortSignal
  onCopied?(events: number): void
  /** Called at each step, for tests. */
  onStep?(step: CopyStep): Promise<void> | void
}

/** The mark of an interrupted attempt of this run; undefined for the first attempt. Throws for the mark of another run. */
export const resumableMark = async (
  marks: Pick<RestoreMarks, 'read'>,
  { command, source }: Pick<CopyingRun, 'command' | 'source'>,
): Promise<RestoreMark | undefined> => {
  const mark = await marks.read()
  if (mark === undefined || (mark.command === command && mark.source === source)) return mark
  throw unfinished(mark)
}

const copyEvents = async ({ source, target, signal, onCopied, onStep }: CopyStoreOptions): Promise<number> => {
  const to = await target.openLog()
  try {
    const copied = await copyLog({
      from: source.log,
      to,
      signal,
      onCopied: async (events) => {
        onCopied?.(events)
        await onStep?.('batch copied')
      },
    })
    return copied.events
  } finally {
    await to.close()
  }
}

const copyKeys = async ({ source, target, signal }: CopyStoreOptions): Promise<void> => {
  const to = await target.openKeys()
  try {
    for (const keys of readUserKeys(source.keysFile)) {
      signal.throwIfAborted()
      await to.put(keys)
    }
  } finally {
    await to.close()
  }
}

/**
 * Copies log and user keys into a store that stays marked as incomplete. The caller clears the mark after the remaining steps. Resumes
 * an interrupted run. Returns the mark, which has the number of copied events.
 */
export const copyStore = async (options: CopyStoreOptions): Promise<Extract<RestoreMark, { step: 'copied' }>> => {
  const { target, run, onStep } = options
  const before = await resumableMark(target.marks, run)
  if (before?.step === 'copied') return before
  const own = { ...run, id: before?.id ?? run.id }
  if (before === undefined) await target.marks.write({ ...own, step: 'copying' })
  await onStep?.('marked')
  const events = await copyEvents(options)
  await onStep?.('log copied')
  await copyKeys(options)
  await onStep?.('keys copied')
  const copied = { ...own, step: 'copied', events } as const
  await target.marks.write(copied)
  await onStep?.('copied')
  return copied
}
