import { z } from 'zod'
import type { Metrics } from '../observability/metrics/metrics.ts'
import { compareAndSet } from '../read-model/compare-and-set.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'

/** A document in the namespace 'control', so that every process knows the age of the newest backup. */
const lastBackupRef = { partition: 'backups', collection: 'backups', key: 'last' } as const
const projection = 'backups'

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
  const { partition, ...document } = lastBackupRef
  await compareAndSet(control, { projection, partition }, async () => {
    const value = change(await loadLastBackup(control))
    return value && [{ op: 'put', ...document, value }]
  })
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
