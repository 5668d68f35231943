/** The records of ended keys and scavenges in the log, newest first. */
export type ScavengeRecord =
  /** The stream of a user's key was tombstoned. Only its bytes are left. */
  | { readonly kind: 'key-ended'; readonly position: bigint }
  /** Scavenges that start after this record reach up to here. */
  | { readonly kind: 'point'; readonly position: bigint }
  | { readonly kind: 'completed'; readonly node: string; readonly at: Date }

export type ErasedKeysOnDisk = {
  /** Erased keys with bytes in the files of at least one node. */
  readonly keys: number
  /** The search was incomplete, so there may be more. */
  readonly isAtLeast: boolean
  /** When the last scavenge of all nodes completed. */
  readonly scavengedAt?: string
}

/**
 * Counts erased keys that no scavenge has removed from disk yet. A scavenge reaches to the newest scavenge point before its end, because
 * a resumed scavenge keeps its point. Each node scavenges its own files, so a key counts until all `nodes` have passed it.
 */
export const createErasedKeysTally = (nodes: number) => {
  const completed = new Set<string>()
  const passed = new Set<string>()
  let keys = 0
  let scavengedAt: Date | undefined

  return {
    /** Returns false if no older record can change the result. */
    add: (record: ScavengeRecord): boolean => {
      if (record.kind === 'key-ended') keys += 1
      else if (record.kind === 'point') for (const node of completed) passed.add(node)
      else if (!completed.has(record.node)) {
        completed.add(record.node)
        scavengedAt = record.at
      }
      return passed.size < nodes
    },
    result: (isAtLeast: boolean): ErasedKeysOnDisk => ({
      keys,
      isAtLeast,
      ...(scavengedAt !== undefined && completed.size >= nodes && { scavengedAt: scavengedAt.toISOString() }),
    }),
  }
}
