import type { Json } from '../event-store/port.ts'

/**
 * What the processes of one portal ask and tell each other, beside the bus: short-lived things of which a late answer has
 * no worth, such as what open tabs have shown. At most once; nothing here may be relied upon to arrive.
 */
export type Peers = {
  /** Told to every other process that listens. */
  tell(subject: string, message: Json): void
  /** The answers of the other processes that answer; those that came, once `timeoutMs` are over. */
  ask(subject: string, question: Json, timeoutMs: number): Promise<readonly unknown[]>
  /** What comes from elsewhere is parsed by whoever listens. One listener a subject. */
  onTold(subject: string, listen: (message: unknown) => void): void
  onAsked(subject: string, answer: (question: unknown) => Promise<Json>): void
  close(): Promise<void>
}
