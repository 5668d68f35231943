import { z } from 'zod'
import type { Metrics } from '../observability/metrics/metrics.ts'
import { compareAndSet } from '../read-model/compare-and-set.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'

/** A document in the namespace 'control', so that every process knows the age of the newest backup. */
const lastBackupRef = { partition: 'backups', collection: 'backups', key: 'last' } as const
const projection = 'backups'

const maxFailed = 50

const lastBackupSchema = z.object({
  /** ISO 8601. */
  madeAt: z.iso.datetime(),
  file: z.string(),
  events: z.number().int(),
  /** The result of the newest check of this backup; absent before one. */
  check: z.object({ at: z.iso.datetime(), isGood: z.boolean() }).optional(),
  /** Files that failed their check, the newest last. Records of older releases lack it and `passed`. */
  failed: z.array(z.string()).max(maxFailed).optional(),
  /** The newest backup that passed its check. */
  passed: z.object({ file: z.string(), madeAt: z.iso.datetime() }).optional(),
  /** Whether the newest check of any backup passed; absent before one, and in records of older releases. */
  isLastCheckGood: z.boolean().optional(),
})
export type LastBackup = z.infer<typeof lastBackupSchema>

/** The files that failed their newest check. Their names sort by time. */
export const failedFiles = ({ file, check, failed = [] }: LastBackup): readonly string[] =>
  check?.isGood === false && !failed.includes(file) ? [...failed, file] : failed

const newestFailed = (last: LastBackup): string | undefined => failedFiles(last).toSorted().at(-1)

/** Whether a backup failed its check that is newer than all that passed one. Then one that has not been checked does not count as good. */
export const needsCheck = (last: LastBackup): boolean => (newestFailed(last) ?? '') > (last.passed?.file ?? '')

/** The newest backup that failed its check, until a newer one passes, or an older one after it. */
export const failedCheckOf = (last: LastBackup): string | undefined =>
  needsCheck(last) && last.isLastCheckGood !== true ? newestFailed(last) : undefined

/** The newest backup that counts as good, by the record alone. */
export const lastGoodOf = (last: LastBackup): { readonly file: string; readonly madeAt: string } | undefined =>
  needsCheck(last) || failedFiles(last).includes(last.file) ? last.passed : last

/** Undefined before the first backup, and after the read models were lost. */
export const loadLastBackup = async (control: ReadStore): Promise<LastBackup | undefined> => {
  const stored = await control.get(lastBackupRef)
  return stored === undefined ? undefined : lastBackupSchema.parse(stored)
}

type Control = ReadStore & ProjectionWriter & Checkpoints

/** Stores the result of `change`, unless it is undefined. */
const changeLastBackup = async (
  control: Control,
  change: (known: LastBackup | undefined) => LastBackup | undefined,
): Promise<void> => {
  const { partition, ...document } = lastBackupRef
  await compareAndSet(control, { projection, partition }, async () => {
    const value = change(await loadLastBackup(control))
    return value && [{ op: 'put', ...document, value }]
  })
}

type Made = Pick<LastBackup, 'madeAt' | 'file' | 'events'>

/** No effect if a newer one is recorded, unless that is from the future: a clock was wrong. Its results of checks then end, too. */
export const saveLastBackup = (control: Control, made: Made, nowMs: number): Promise<void> =>
  changeLastBackup(control, (known) => {
    if (known === undefined) return made
    const wasClockWrong = Date.parse(known.madeAt) > nowMs
    if (known.madeAt > made.madeAt && !wasClockWrong) return undefined
    const isFromFuture = (file: string) => wasClockWrong && file > made.file
    const { passed, isLastCheckGood } = known
    return {
      ...made,
      failed: failedFiles(known)
        .filter((file) => !isFromFuture(file))
        .slice(-maxFailed),
      ...(passed && !isFromFuture(passed.file) && { passed }),
      ...(isLastCheckGood !== undefined && { isLastCheckGood }),
    }
  })

type Checked = {
  readonly file: string
  /** ISO 8601, when the backup was made; undefined if it cannot be read. */
  readonly madeAt: string | undefined
  readonly check: NonNullable<LastBackup['check']>
}

/** No effect before the first backup is recorded. */
export const saveCheck = (control: Control, { file, madeAt, check }: Checked): Promise<void> =>
  changeLastBackup(control, (known) => {
    if (known === undefined) return undefined
    const others = failedFiles(known).filter((name) => name !== file)
    const { passed, ...rest } = known
    const isNewest = file >= (passed?.file ?? '')
    const nowPassed = check.isGood && madeAt !== undefined && isNewest ? { file, madeAt } : passed
    return {
      ...rest,
      isLastCheckGood: check.isGood,
      ...(known.file === file && { check }),
      failed: (check.isGood ? others : [...others, file].toSorted()).slice(-maxFailed),
      ...(nowPassed && (check.isGood || nowPassed.file !== file) && { passed: nowPassed }),
    }
  })

/** Updates the gauge at each scrape. It keeps its value while the read models are unavailable. */
export const watchLastBackup = (
  { lastGoodBackup, beforeScrape }: Pick<Metrics, 'lastGoodBackup' | 'beforeScrape'>,
  control: ReadStore,
): (() => void) =>
  beforeScrape(async () => {
    const last = await loadLastBackup(control)
    const good = last && lastGoodOf(last)
    lastGoodBackup.set(good === undefined ? 0 : Date.parse(good.madeAt) / 1_000)
  })
