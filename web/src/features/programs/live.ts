import { catalogChangedSchema, catalogSocketEvents, enrollmentChangedSchema } from '@portal/contracts/catalog/socket'
import type { PortalSocket } from '../../lib/socket.ts'
import type { CatalogChange } from './apply-catalog-change.ts'

export type CatalogListener = {
  readonly onChange: (change: CatalogChange) => void
  /** From here on every change is told; what came before may have been missed. */
  readonly onConnected: () => void
}

/** Tells what becomes of the catalogue and of the reader's enrolments, for as long as the connection holds. */
export const followCatalog = (socket: PortalSocket, { onChange, onConnected }: CatalogListener): (() => void) => {
  const hearCatalog = (raw: unknown) => {
    const message = catalogChangedSchema.safeParse(raw)
    if (message.success) onChange(message.data)
    else console.error('Unexpected message about the catalogue', message.error)
  }
  const hearEnrollment = (raw: unknown) => {
    const message = enrollmentChangedSchema.safeParse(raw)
    if (message.success) onChange({ kind: 'enrollment-changed', ...message.data })
    else console.error('Unexpected message about an enrolment', message.error)
  }
  socket.on('connect', onConnected)
  socket.on(catalogSocketEvents.catalogChanged, hearCatalog)
  socket.on(catalogSocketEvents.enrollmentChanged, hearEnrollment)
  return () => {
    socket.off('connect', onConnected)
    socket.off(catalogSocketEvents.catalogChanged, hearCatalog)
    socket.off(catalogSocketEvents.enrollmentChanged, hearEnrollment)
  }
}
