import { upwardImports } from '@portal/platform/testing/upward-imports'
import { expect, it } from 'vitest'

/** Layers from the bottom up. A folder imports only from lower lines. */
const layers: readonly (readonly string[])[] = [
  ['async', 'cache', 'errors', 'settings'],
  ['files'],
  ['event-store'],
  ['decider', 'personal-data', 'read-model'],
  ['discontinuity', 'idempotency', 'limits', 'peers', 'session'],
  ['bus'],
  ['observability', 'projection'],
  ['generations', 'outbound', 'security-log'],
  ['adapters', 'backup', 'http'],
  ['operations', 'restore'],
  ['runtime'],
]

it('each folder of the platform imports only from lower layers', () => {
  expect(upwardImports(import.meta.dirname, layers)).toEqual({ unlisted: [], missing: [], upward: [] })
})
