/** The bounds of the socket server. Everything that can grow has one. */
export type SocketLimits = {
  readonly maxConnections: number
  readonly maxSocketsPerUser: number
  /** Cost of the packets that one socket may send in one window; see packets.ts. */
  readonly packetCostPerWindow: number
  readonly windowMs: number
  readonly malformedPackets: number
  /** What may wait for a client that does not read. */
  readonly pendingBytes: number
  readonly pendingPackets: number
  /** Largest message from a client. The messages of the contract are well under 200 bytes. */
  readonly packetBytes: number
}

export const defaultSocketLimits: SocketLimits = {
  maxConnections: 20_000,
  maxSocketsPerUser: 50,
  packetCostPerWindow: 2_000,
  windowMs: 10_000,
  malformedPackets: 20,
  pendingBytes: 4 * 1024 * 1024,
  pendingPackets: 256,
  packetBytes: 16 * 1024,
}
