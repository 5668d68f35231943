/** What the log says of users' keys and of scavenges, newest first. */
export type ScavengeRecord =
  /** A user's key was ended: from now on only its bytes are left. */
  | { readonly kind: 'key-ended'; readonly position: bigint }
  /** How far the scavenges that begin from here on reach. */
  | { readonly kind: 'point'; readonly position: bigint }
  | { readonly kind: 'completed'; readonly node: string; readonly at: Date }

export type ErasedKeysOnDisk = {
  /** Erased keys whose bytes are still in the files of at least one node. */
  readonly keys: number
  /** There may be more: not all of the log was looked at. */
  readonly isAtLeast: boolean
  /** When the newest scavenge completed that counts for all nodes. */
  readonly scavengedAt?: string
}

/**
 * Counts erased keys that no scavenge has taken from the disk yet. A scavenge reaches to the newest scavenge point before its
 * end, not to its own beginning: one that continues an interrupted one keeps that one's point. Each node scavenges its own
 * files, so a key counts until `nodes` of them have passed it.
 */
export const createErasedKeysTally = (nodes: number) => {
  const completed = new Set<string>()
  const passed = new Set<string>()
  let keys = 0
  let scavengedAt: Date | undefined

  return {
    /** False once no older record can change the result. */
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
