import type { RolledBack } from '@portal/platform/generations/rollback'
import { counted, duration, grouped, table } from '../output/format.ts'
import { printable } from '../output/print.ts'
import type { DifferingData, ReplayResult } from './differing-data.ts'
import type { ReplayPlan } from './plan-replay.ts'

const shownDifferences = 20

export const planText = ({ eventsToRead, projections }: ReplayPlan): string => {
  const rows = projections.map(({ projection, generation, partitions, documents, entries, wouldBuild, wouldDrop }) => [
    projection,
    generation ?? '(none)',
    partitions,
    documents,
    entries,
    wouldBuild,
    wouldDrop.join(', '),
  ])
  const headings = ['projection', 'active', 'partitions', 'documents', 'entries', 'new generation', 'removed']
  return `${counted(eventsToRead, 'event')} would be read. Nothing has been changed.\n\n${table(headings, rows)}`
}

const ownersText = ({ users, moreUsers, unreadPartitions, uncheckedIds }: DifferingData): string => {
  if (users.length === 0) return ''
  const more = moreUsers > 0 ? ` and ${grouped(moreUsers)} more` : ''
  const atLeast = unreadPartitions + uncheckedIds > 0 ? 'at least ' : ''
  return `, of ${atLeast}${counted(users.length + moreUsers, 'user')}: ${users.join(', ')}${more}`
}

const differingText = (data: DifferingData): string =>
  `${data.unreadPartitions > 0 ? 'At least ' : ''}${counted(data.documents, 'document')} and ${data.entries === 1 ? '1 list entry' : `${grouped(data.entries)} list entries`} differ${ownersText(data)}.`

const differencesText = ({ projection, generation, differences, differing }: ReplayResult): string => {
  const shown = differences.slice(0, shownDifferences).map(({ partition, why }) => `  ${printable(partition)}: ${why}`)
  const more = differences.length - shown.length
  return [
    `${projection} was not switched: ${generation} differs from the active generation in ${counted(differences.length, 'partition')}:`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(differing === undefined ? [] : [differingText(differing)]),
    `The rebuilt one follows the log; to serve it: make replay P=${projection} FORCE=1`,
  ].join('\n')
}

const isIncomplete = 'was incomplete and is not used again'

const switchedText = (replayed: ReplayResult): string => {
  const { projection, generation, previous, compared, differences, isRepair } = replayed
  if (isRepair) return `${projection}: ${generation} is active, rebuilt; ${previous} ${isIncomplete}`
  const comparison =
    compared === 0
      ? 'nothing to compare with'
      : differences.length > 0
        ? `differs in ${differences.length} of ${counted(compared, 'partition')}, accepted by FORCE=1`
        : compared === 1
          ? 'equal in its only partition'
          : `equal in all ${compared} partitions`
  return `${projection}: ${generation} is active (${comparison}); ${previous} is kept`
}

export const replayText = (results: readonly ReplayResult[], tookMs: number): string => {
  const switched = results.filter(({ outcome }) => outcome === 'switched')
  const rejected = results.filter(({ outcome }) => outcome === 'refused')
  return [
    ...switched.map(switchedText),
    ...rejected.map(differencesText),
    `${switched.length} of ${results.length} switched in ${duration(tookMs)}.${switched.length > 0 ? ' To roll back: make replay-back' : ''}`,
  ].join('\n')
}

export const rollbackText = (results: readonly RolledBack[]): string =>
  results
    .map(
      ({ projection, generation, previous, isRepair }) =>
        `${projection}: ${generation} is active again; ${previous} ${isRepair ? isIncomplete : 'is kept'}`,
    )
    .join('\n')
