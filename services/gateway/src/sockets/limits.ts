/** The bounds of the socket server. Everything that can grow has one. */
export type SocketLimits = {
  /** Of connections that have said who they are. */
  readonly maxConnections: number
  /** Of connections that have not said who they are. A new one takes the place of the oldest. */
  readonly maxUnidentified: number
  /** The same for one address, or one IPv6 network. */
  readonly maxUnidentifiedPerAddress: number
  /** A connection that has not said who it is by then is closed. */
  readonly identifyWithinMs: number
  readonly maxSocketsPerUser: number
  /** Cost of the packets that one socket may send in one window; see client-messages.ts. */
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
