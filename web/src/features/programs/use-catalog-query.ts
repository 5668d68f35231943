import {
  catalogChangedSchema,
  catalogSocketEvents,
  enrollmentChangedSchema,
  enrollmentEndedSchema,
} from '@portal/contracts/catalog/socket'
import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ZodType } from 'zod'
import type { Answer } from '../../lib/http.ts'
import { updateLoaded, useQueryClient, useRequestQuery } from '../../lib/query.ts'
import { useSocket, type PortalSocket } from '../../lib/socket.ts'
import type { Apply, CatalogChange } from './apply-catalog-change.ts'

/** Reports each change of the catalog and of the reader's enrollments until the returned function is called. */
const subscribeToCatalog = (socket: PortalSocket, onChange: (change: CatalogChange) => void): (() => void) => {
  const accept =
    <Message>(schema: ZodType<Message>, changeOf: (message: Message) => CatalogChange) =>
    (raw: unknown) => {
      const message = schema.safeParse(raw)
      if (message.success) onChange(changeOf(message.data))
      else console.error('Unexpected message about the catalog', message.error)
    }
  const onCatalogChanged = accept(catalogChangedSchema, (change) => change)
  const onEnrollmentChanged = accept(enrollmentChangedSchema, (changed) => ({ kind: 'enrollment-changed', ...changed }))
  const onEnrollmentEnded = accept(enrollmentEndedSchema, (ended) => ({ kind: 'enrollment-ended', ...ended }))
  socket.on(catalogSocketEvents.catalogChanged, onCatalogChanged)
  socket.on(catalogSocketEvents.enrollmentChanged, onEnrollmentChanged)
  socket.on(catalogSocketEvents.enrollmentEnded, onEnrollmentEnded)
  return () => {
    socket.off(catalogSocketEvents.catalogChanged, onCatalogChanged)
    socket.off(catalogSocketEvents.enrollmentChanged, onEnrollmentChanged)
    socket.off(catalogSocketEvents.enrollmentEnded, onEnrollmentEnded)
  }
}

/** A response may or may not include changes that arrive during the request, so all of them are applied to it. */
const requestWithChanges = async <T>(
  socket: PortalSocket | null,
  request: () => Promise<Answer<T>>,
  apply: Apply<T>,
): Promise<Answer<T>> => {
  const changes: CatalogChange[] = []
  const stop = socket ? subscribeToCatalog(socket, (change) => void changes.push(change)) : undefined
  try {
    const answer = await request()
    return answer.success ? { success: true, data: changes.reduce(apply, answer.data) } : answer
  } finally {
    stop?.()
  }
}

type CatalogQuery<T> = {
  readonly key: QueryKey
  readonly request: (signal: AbortSignal) => Promise<Answer<T>>
  readonly apply: Apply<T>
  /** Whether the data is requested again after a change, because the change does not carry all of it. */
  readonly needsRequest?: (change: CatalogChange) => boolean
}

/**
 * A query that stays up to date: by socket messages and a refresh on each connect. Visitors have no socket, so their data is
 * refreshed when the window regains the focus.
 */
export const useCatalogQuery = <T>({ key, request, apply, needsRequest }: CatalogQuery<T>) => {
  const socket = useSocket()
  const client = useQueryClient()
  const { state, reload, refresh } = useRequestQuery({
    key,
    request: (signal) => requestWithChanges(socket, () => request(signal), apply),
    retriesOnline: 'never',
  })

  const onChange = useEffectEvent((change: CatalogChange) => {
    updateLoaded<T>(client, key, (known) => apply(known, change))
    if (needsRequest?.(change)) void refresh()
  })
  const onConnected = useEffectEvent(() => void refresh())
  const [firstSocket] = useState(socket)
  useEffect(() => {
    if (!socket) return undefined
    // The socket was opened during the first request and has missed earlier changes.
    if (socket !== firstSocket && socket.connected) onConnected()
    const connected = () => onConnected()
    socket.on('connect', connected)
    const stop = subscribeToCatalog(socket, (change) => onChange(change))
    return () => {
      socket.off('connect', connected)
      stop()
    }
  }, [socket, firstSocket])

  useEffect(() => {
    const onFocus = () => {
      if (!socket?.connected) void refresh()
    }
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [socket, refresh])

  return { state, reload }
}
