import { counted } from '../output/counted.ts'
import { moment, duration } from '../output/times.ts'
import type { Restored } from './restore-backup.ts'

const comparisonText = (readModels: Restored['readModels']): string => {
  const compared = readModels.filter((readModel) => readModel.compared > 0)
  const equal = compared.filter(({ differences }) => differences.length === 0)
  const built = `${counted(readModels.length, 'read model')} rebuilt`
  if (compared.length === 0) return built
  return equal.length === compared.length ? `${built}, all equal` : `${built}, ${equal.length} proved equal`
}

/** What a restore has done, for people. */
export const restoredText = (restored: Restored, tookMs: number): string => {
  const { madeAt, events, erased, expired, readModels, unreadable } = restored
  return [
    ...unreadable.map((message) => `Not asked for later erasures: ${message}`),
    `Restored the backup of ${moment(madeAt)}: ${counted(events, 'event')}, ${comparisonText(readModels)}, ${duration(tookMs)}.`,
    ...(erased > 0 ? [`Erased again: ${counted(erased, 'user')} who were erased since the backup.`] : []),
    ...(expired > 0 ? [`Not pushed: ${expired} of the deliveries that were pending at that time.`] : []),
    'Start the portal now.',
  ].join('\n')
}
