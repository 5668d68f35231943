import type { AuditPortal } from './audit-portal.ts'
import { routeMatrix } from './route-matrix.ts'
import type { Row } from './row.ts'
import type { Scale } from './scale.ts'
import { socketMatrix } from './socket-matrix.ts'

export type Audit = { readonly portal: AuditPortal; readonly scale: Scale; readonly seed: number }

/** In the order in which they run on one portal: what fills it comes last. */
export const audits: Readonly<Record<string, (audit: Audit) => Promise<Row>>> = {
  routes: ({ portal }) => routeMatrix(portal),
  sockets: ({ portal }) => socketMatrix(portal),
}
