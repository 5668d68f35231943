import { z } from 'zod'
import type { Metrics } from '../observability/metrics/metrics.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'

/** One document in the namespace 'control', so that every process can tell how old the newest backup is. */
const place = { partition: 'backups', collection: 'backups', key: 'last' } as const
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

/** Undefined before the first one, and after the read models were emptied or rebuilt elsewhere. */
export const loadLastBackup = async (control: ReadStore): Promise<LastBackup | undefined> => {
  const stored = await control.get(place)
  return stored === undefined ? undefined : lastBackupSchema.parse(stored)
}

type Control = ReadStore & ProjectionWriter & Checkpoints

/** Stores what `change` makes of the stored one, unless that is undefined. */
const changeLastBackup = async (
  control: Control,
  change: (known: LastBackup | undefined) => LastBackup | undefined,
): Promise<void> => {
  for (let attempt = 0; attempt < attemptsOnConflict; attempt++) {
    const expected = await control.position(keeper, place.partition)
    const value = change(await loadLastBackup(control))
    if (value === undefined) return
    const position = String(Number(expected ?? '0') + 1).padStart(12, '0')
    const { madeAt, file, events, check } = value
    const json = { madeAt, file, events, ...(check && { check }) }
    const writes = [{ op: 'put', collection: place.collection, key: place.key, value: json }] as const
    const commit = { projection: keeper, partition: place.partition, expected, position, writes }
    if ((await control.commit(commit)) === 'committed') return
  }
  throw new Error('The record of the last backup is being changed too fast')
}

export const saveLastBackup = (control: Control, made: LastBackup): Promise<void> =>
  changeLastBackup(control, (known) => (known !== undefined && known.madeAt > made.madeAt ? undefined : made))

/** Has no effect for a backup that is not the newest. */
export const saveCheck = (control: Control, file: string, check: NonNullable<LastBackup['check']>): Promise<void> =>
  changeLastBackup(control, (known) => (known?.file === file ? { ...known, check } : undefined))

/** Reads the record at each scrape; the gauge keeps its value while the read models are unavailable. */
export const watchLastBackup = (
  { lastGoodBackup, beforeScrape }: Pick<Metrics, 'lastGoodBackup' | 'beforeScrape'>,
  control: ReadStore,
): (() => void) =>
  beforeScrape(async () => {
    const last = await loadLastBackup(control)
    lastGoodBackup.set(last === undefined || last.check?.isGood === false ? 0 : Date.parse(last.madeAt) / 1_000)
  })
