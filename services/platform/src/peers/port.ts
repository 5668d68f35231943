import type { Json } from '../event-store/port.ts'

/**
 * Requests and broadcasts between the processes of one portal, besides the bus. For short-lived data such as what open tabs have
 * shown. Delivery is at most once and may fail.
 */
export type Peers = {
  /** Sends to every other process. */
  broadcast(subject: string, message: Json): void
  /** Returns the responses of the other processes, or after `timeoutMs` those received so far. */
  request(subject: string, message: Json, timeoutMs: number): Promise<readonly unknown[]>
  /** The listener parses the message. One listener per subject. */
  onBroadcast(subject: string, listen: (message: unknown) => void): void
  onRequest(subject: string, respond: (message: unknown) => Promise<Json>): void
  close(): Promise<void>
}
