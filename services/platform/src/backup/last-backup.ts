import { z } from 'zod'
import type { Metrics } from '../observability/metrics/metrics.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'

/** A document in the namespace 'control', so that every process knows the age of the newest backup. */
const lastBackupRef = { partition: 'backups', collection: 'backups', key: 'last' } as const
const keeper = 'backups'
const attemptsOnConflict = 20

const lastBackupSchema = z.object({
  /** ISO 8601. */
  madeAt: z.iso.datetime(),
  file: z.string(),
  events: z.number().int(),
  /** The result of the newest check of this backup; absent before one. */
  check: z.object({ at: z.iso.datetime(), isGood: z.boolean() }).optional(),
})
export type LastBackup = z.infer<typeof lastBackupSchema>

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
  for (let attempt = 0; attempt < attemptsOnConflict; attempt++) {
    const expected = await control.position(keeper, lastBackupRef.partition)
    const value = change(await loadLastBackup(control))
    if (value === undefined) return
    const position = String(Number(expected ?? '0') + 1).padStart(12, '0')
    const { madeAt, file, events, check } = value
    const json = { madeAt, file, events, ...(check && { check }) }
    const writes = [{ op: 'put', collection: lastBackupRef.collection, key: lastBackupRef.key, value: json }] as const
    const commit = { projection: keeper, partition: lastBackupRef.partition, expected, position, writes }
    if ((await control.commit(commit)) === 'committed') return
  }
  throw new Error('The last backup could not be recorded: too many concurrent changes')
}

export const saveLastBackup = (control: Control, made: LastBackup): Promise<void> =>
  changeLastBackup(control, (known) => (known !== undefined && known.madeAt > made.madeAt ? undefined : made))

/** No effect unless the file is the newest backup. */
export const saveCheck = (control: Control, file: string, check: NonNullable<LastBackup['check']>): Promise<void> =>
  changeLastBackup(control, (known) => (known?.file === file ? { ...known, check } : undefined))

/** Updates the gauge at each scrape. It keeps its value while the read models are unavailable. */
export const watchLastBackup = (
  { lastGoodBackup, beforeScrape }: Pick<Metrics, 'lastGoodBackup' | 'beforeScrape'>,
  control: ReadStore,
): (() => void) =>
  beforeScrape(async () => {
    const last = await loadLastBackup(control)
    lastGoodBackup.set(last === undefined || last.check?.isGood === false ? 0 : Date.parse(last.madeAt) / 1_000)
  })
