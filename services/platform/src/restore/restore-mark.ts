import { z } from 'zod'

const copyingRunSchema = z.object({
  command: z.enum(['restore', 'move-log']),
  /** Identifies the run: the recorded operation gets the same id however often the command is run again. */
  id: z.uuid(),
  /** What is copied, so that no other backup or log is mixed into it. */
  source: z.string(),
  /** The command to run again, without passwords. */
  runAgain: z.string(),
})
/** A restore or a move, however often its command is run. */
export type CopyingRun = z.infer<typeof copyingRunSchema>

export const restoreMarkSchema = z.discriminatedUnion('step', [
  /** Events or keys may be missing. */
  copyingRunSchema.extend({ step: z.literal('copying') }),
  /** Events and keys are complete; what follows from them may be missing. */
  copyingRunSchema.extend({ step: z.literal('copied'), events: z.int().min(0) }),
])
/** Lies in an event store from before the first byte of a restore or a move until its end. */
export type RestoreMark = z.infer<typeof restoreMarkSchema>

/** Keeps the mark of one event store. */
export type RestoreMarks = {
  /** Undefined for a store that is complete. */
  read(): Promise<RestoreMark | undefined>
  /** Durable once it resolves. */
  write(mark: RestoreMark): Promise<void>
  clear(): Promise<void>
  check(): Promise<void>
  close(): Promise<void>
}

/** The event store is the half of a restore or a move. The message is one line that names the command. */
export class UnfinishedStoreError extends Error {
  override readonly name = 'UnfinishedStoreError'
  readonly isUserFacing = true
}

const commandNames = { restore: 'restore', 'move-log': 'move' } as const

export const unfinished = ({ command, runAgain }: Pick<CopyingRun, 'command' | 'runAgain'>): UnfinishedStoreError =>
  new UnfinishedStoreError(
    `A ${commandNames[command]} into this event store was interrupted. Run it again: ${runAgain}`,
  )

/** Throws for a store that a restore or a move has not completed. */
export const requireComplete = async (marks: Pick<RestoreMarks, 'read'>): Promise<void> => {
  const mark = await marks.read()
  if (mark !== undefined) throw unfinished(mark)
}
