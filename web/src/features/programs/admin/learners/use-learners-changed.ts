import { catalogSocketEvents, learnersChangedSchema } from '@portal/contracts/catalog/socket'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { useEffect, useEffectEvent } from 'react'
import { onReconnect, useSocket } from '../../../../lib/socket.ts'
import { throttle } from '../../../../lib/throttle.ts'

/** Confirming five hundred payments reports many changes. */
const refreshEveryMs = 1_000

/** Calls `onChange` when learners of the program have changed, and after each reconnect. */
export const useLearnersChanged = (programId: ProgramRecordId, onChange: () => void): void => {
  const socket = useSocket()
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    if (!socket) return undefined
    const refreshing = throttle(refreshEveryMs, () => changed())
    const onMessage = (raw: unknown) => {
      const message = learnersChangedSchema.safeParse(raw)
      if (!message.success) console.error('Unexpected message about learners', message.error)
      else if (message.data.programId === programId) refreshing.trigger()
    }
    socket.on(catalogSocketEvents.learnersChanged, onMessage)
    const stop = onReconnect(socket, refreshing.trigger)
    return () => {
      socket.off(catalogSocketEvents.learnersChanged, onMessage)
      stop()
      refreshing.stop()
    }
  }, [socket, programId])
}
