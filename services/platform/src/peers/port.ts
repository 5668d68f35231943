import type { Json } from '../event-store/port.ts'

/**
 * What the processes of one portal request of each other and broadcast, beside the bus: short-lived things of which a late answer has
 * no worth, such as what open tabs have shown. At most once; nothing here may be relied upon to arrive.
 */
export type Peers = {
  /** To every other process that listens. */
  broadcast(subject: string, message: Json): void
  /** The answers of the other processes that answer; those that came, once `timeoutMs` are over. */
  request(subject: string, question: Json, timeoutMs: number): Promise<readonly unknown[]>
  /** What comes from elsewhere is parsed by whoever listens. One listener a subject. */
  onBroadcast(subject: string, listen: (message: unknown) => void): void
  onRequest(subject: string, answer: (question: unknown) => Promise<Json>): void
  close(): Promise<void>
}
