import type { CheckedBackup, CheckProgress } from '@portal/platform/backup/check-backup'
import { counted, grouped } from '../output/counted.ts'
import { duration } from '../output/times.ts'
import { size } from './present-backup.ts'

export const checkProgressText = (progress: CheckProgress): string => {
  if ('totalBytes' in progress) return `${progress.step}: ${size(progress.bytes)} of ${size(progress.totalBytes)}`
  if ('totalEvents' in progress)
    return `${progress.step}: ${grouped(progress.events)} of ${counted(progress.totalEvents, 'event')}`
  return progress.step
}

/** `128,412 events, 5 read models, all equal, 14 s`; what is wrong follows in a line each. */
export const checkText = ({ manifest, readModels, problems, erasedKeys }: CheckedBackup, tookMs: number): string => {
  const compared = readModels.filter(({ partitions }) => partitions !== undefined)
  const skipped = readModels.filter(({ partitions }) => partitions === undefined)
  const verdict = problems.length === 0 ? 'all equal' : counted(problems.length, 'problem')
  const { events } = manifest.log
  return [
    `${counted(events, 'event')}, ${counted(compared.length, 'read model')}, ${verdict}, ${duration(tookMs)}`,
    ...problems,
    ...(erasedKeys === 0
      ? []
      : [
          `It still holds the keys of ${erasedKeys} erased ${erasedKeys === 1 ? 'person' : 'people'}: run make backup-forget.`,
        ]),
    ...(skipped.length === 0
      ? []
      : [`Not compared, as another release made them: ${skipped.map(({ projection }) => projection).join(', ')}`]),
  ].join('\n')
}
