import type { EventStore } from '@portal/platform/event-store/port'
import { categoryOf } from '@portal/platform/event-store/stream-name'

/** What a portal has that nobody has used: its first admin, who may have logged in, and universities. */
const ownCategories: ReadonlySet<string> = new Set(['setup', 'university', 'session'])
const accountCategories: ReadonlySet<string> = new Set(['registration', 'user'])
/** More than that is history. */
const mostEvents = 200

/** Whether there is nothing in a portal yet but what it began with. Looks at the beginning of the log, wherever that ends. */
export const isEmptyPortal = async (eventStore: Pick<EventStore, 'subscribe'>): Promise<boolean> => {
  const abort = new AbortController()
  const accounts = new Map<string, string>()
  let events = 0
  try {
    for await (const event of eventStore.subscribe('start', 'all', abort.signal)) {
      if (event.kind === 'caught-up') return true
      if (++events > mostEvents) return false
      const category = categoryOf(event.stream)
      if (ownCategories.has(category)) continue
      if (!accountCategories.has(category)) return false
      const known = accounts.get(category) ?? event.stream
      if (known !== event.stream) return false
      accounts.set(category, known)
    }
    return false
  } finally {
    abort.abort()
  }
}
