import { LRUCache } from 'lru-cache'

/** Of each kind of list. At 200,000 users, one is 1.6 MB. */
const maxRemembered = 16

type Select<Filter, Snapshot, Selection> = (filter: Filter, snapshot: Snapshot) => Promise<Selection>

/**
 * Remembers what filters select from the latest snapshots. The whole of a list is selected and sorted once, for all its pages and for
 * all admins who have it open.
 */
export const rememberSelections = <Filter extends object, Snapshot extends object, Selection extends object>(
  select: Select<Filter, Snapshot, Selection>,
): Select<Filter, Snapshot, Selection> => {
  const bySnapshot = new WeakMap<Snapshot, LRUCache<string, Promise<Selection>>>()
  return (filter, snapshot) => {
    const remembered = bySnapshot.get(snapshot) ?? new LRUCache({ max: maxRemembered })
    bySnapshot.set(snapshot, remembered)
    const key = JSON.stringify(filter)
    const known = remembered.get(key)
    if (known) return known
    const selection = select(filter, snapshot)
    remembered.set(key, selection)
    selection.catch(() => remembered.delete(key))
    return selection
  }
}
