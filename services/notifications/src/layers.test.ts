import { upwardImports } from '@portal/platform/testing/upward-imports'
import { expect, it } from 'vitest'

/** Layers from the bottom up. A folder or file imports only from lower lines. */
const layers: readonly (readonly string[])[] = [
  ['bus-messages.ts', 'csv.ts', 'read-model.ts', 'seen-reports.ts'],
  ['activity', 'device', 'draft', 'known-recipients', 'preferences', 'recipient-items.ts'],
  ['audience'],
  ['placeholders', 'template'],
  ['campaign'],
  ['actions', 'distribution', 'enrollment-notice', 'timings.ts'],
  ['held-send'],
  ['scheduled-send'],
  ['inbox'],
  ['audit', 'delivery', 'history', 'own-data', 'recipients'],
  ['learners', 'people', 'unseen-mail'],
  ['build-audience.ts', 'build-console.ts', 'build-workers.ts', 'projections.ts'],
  ['app.ts', 'build-delivery.ts'],
  ['service.ts'],
]

it('each folder of notifications imports only from lower layers', () => {
  expect(upwardImports(import.meta.dirname, layers)).toEqual({ unlisted: [], missing: [], upward: [] })
})
