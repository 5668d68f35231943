import type { Progress } from '@portal/platform/generations/replay'
import { counted } from '../output/format.ts'

/** The progress of the copy phase of a restore or a move. */
export type CopyProgress =
  | { readonly step: 'verifying' | 'unpacking'; readonly bytes: number; readonly totalBytes: number }
  | { readonly step: 'copying events'; readonly events: number; readonly totalEvents: number }
  | { readonly step: 'building read models' | 'comparing' }

const percent = (done: number, total: number): string => (total === 0 ? '' : `${Math.floor((done / total) * 100)} %, `)

export const copyProgressText = (progress: CopyProgress): string => {
  switch (progress.step) {
    case 'verifying':
    case 'unpacking': {
      const { step, bytes, totalBytes } = progress
      return `${step}: ${percent(bytes, totalBytes)}${(bytes / 1024 ** 2).toFixed(1)} MiB`
    }
    case 'copying events': {
      const { step, events, totalEvents } = progress
      return `${step}: ${percent(events, totalEvents)}${counted(events, 'event')}`
    }
    default:
      return progress.step
  }
}

export const replayProgressText = (progress: Progress): string =>
  progress.step === 'reading' ? `building read models: ${counted(progress.events, 'event')}` : progress.step
