/** Limits of the socket server. Everything that can grow has one. */
export type SocketLimits = {
  /** Authenticated connections. */
  readonly maxConnections: number
  /** Unauthenticated connections. A new one replaces the oldest. */
  readonly maxUnidentified: number
  /** The same limit per IP address or IPv6 network. */
  readonly maxUnidentifiedPerAddress: number
  /** Closes connections that have not authenticated within this time. */
  readonly identifyWithinMs: number
  readonly maxSocketsPerUser: number
  /** Maximum packet cost per socket and window; see client-messages.ts. */
  readonly packetCostPerWindow: number
  readonly windowMs: number
  readonly malformedPackets: number
  /** Maximum unsent data for a client that does not read. */
  readonly pendingBytes: number
  readonly pendingPackets: number
  /** Maximum message size. Messages of the contract stay well below 200 bytes. */
  readonly packetBytes: number
}

export const defaultSocketLimits: SocketLimits = {
  maxConnections: 20_000,
  maxUnidentified: 4_000,
  maxUnidentifiedPerAddress: 400,
  identifyWithinMs: 8_000,
  maxSocketsPerUser: 50,
  packetCostPerWindow: 2_000,
  windowMs: 10_000,
  malformedPackets: 20,
  pendingBytes: 4 * 1024 * 1024,
  pendingPackets: 256,
  packetBytes: 16 * 1024,
}
