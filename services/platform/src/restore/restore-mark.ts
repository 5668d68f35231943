import { z } from 'zod'

const copyingRunSchema = z.object({
  command: z.enum(['restore', 'move-log']),
  /** Identifies the run and its recorded operation. Kept when the command is run again. */
  id: z.uuid(),
  /** Identifies the source, so that a resumed run cannot mix two sources. */
  source: z.string(),
  /** The command to run again, without passwords. */
  runAgain: z.string(),
})
/** A restore or a move, across several attempts. */
export type CopyingRun = z.infer<typeof copyingRunSchema>

export const restoreMarkSchema = z.discriminatedUnion('step', [
  /** Events or keys may be missing. */
  copyingRunSchema.extend({ step: z.literal('copying') }),
  /** Events and keys are complete; read models and the recorded operation may be missing. */
  copyingRunSchema.extend({ step: z.literal('copied'), events: z.int().min(0) }),
])
/** Marks an event store as incomplete from the start of a restore or a move until its end. */
export type RestoreMark = z.infer<typeof restoreMarkSchema>

/** Stores the mark of an event store. */
export type RestoreMarks = {
  /** Undefined for a complete store. */
  read(): Promise<RestoreMark | undefined>
  /** Durable when it resolves. */
  write(mark: RestoreMark): Promise<void>
  clear(): Promise<void>
  check(): Promise<void>
  close(): Promise<void>
}

/** A restore or a move into the event store is unfinished. The message is one line that names the command. */
export class UnfinishedStoreError extends Error {
  override readonly name = 'UnfinishedStoreError'
  readonly isUserFacing = true
}

const commandNames = { restore: 'restore', 'move-log': 'move' } as const

export const unfinished = ({ command, runAgain }: Pick<CopyingRun, 'command' | 'runAgain'>): UnfinishedStoreError =>
  new UnfinishedStoreError(
    `A ${commandNames[command]} into this event store was interrupted. Run it again: ${runAgain}`,
  )

/** Throws UnfinishedStoreError for a store with an unfinished restore or move. */
export const requireComplete = async (marks: Pick<RestoreMarks, 'read'>): Promise<void> => {
  const mark = await marks.read()
  if (mark !== undefined) throw unfinished(mark)
}
