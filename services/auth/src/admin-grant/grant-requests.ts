import { join } from 'node:path'
import type { EventStore } from '@portal/platform/event-store/port'
import { watchSpool } from '@portal/platform/operations/spool'
import type { Logger } from 'pino'
import { adminGrantSchema } from './admin-grant.ts'
import { applyAdminGrant } from './apply-admin-grant.ts'

/** Where grants wait while this portal has the event store to itself. */
export const adminGrantsIn = (dataDir: string): string => join(dataDir, 'admin-grants')

type Deps = {
  readonly dataDir: string
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly now: () => Date
  readonly logger: Logger
}

export const startApplyingGrants = ({ dataDir, eventStore, now, logger }: Deps): { stop(): Promise<void> } =>
  watchSpool({
    folder: adminGrantsIn(dataDir),
    logger,
    handle: async (request) => {
      const grant = adminGrantSchema.safeParse(request)
      if (!grant.success) return 'refused'
      const applied = await applyAdminGrant(eventStore, grant.data, now())
      return applied.ok ? 'done' : 'refused'
    },
    onRefused: 'operator request refused',
    onFailure: 'operator request failed, retrying',
  })
