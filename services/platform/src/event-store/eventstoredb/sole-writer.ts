import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startPolling } from '../../async/polling.ts'
import { OtherWriterError } from '../errors.ts'
import { appendWithRetry } from './append-with-retry.ts'
import { connectTo } from './client.ts'
import { readNewestRecords } from './read.ts'

// Without a category, so that it is not part of the log.
const stream = 'writer!state'

/** A holder answers within its poll interval, so this is ample. A restart after a crash takes so long. */
const answerMs = 3_000
const pollEveryMs = 1_000

const recordSchema = z.object({
  /** 'WriterAsked': is the holder still alive? It answers with 'WriterHeld'. */
  type: z.enum(['WriterHeld', 'WriterAsked', 'WriterReleased']),
  data: z.object({ by: z.string(), since: z.iso.datetime(), where: z.string() }),
})
type WriterRecord = z.infer<typeof recordSchema>

type Options = {
  readonly url: string
  /** The address for messages, without password. */
  readonly address: string
  /** This process, for the message of another one: host and process id. */
  readonly where: string
  /** Called when another process has become the writer, and with undefined when this one is it again. */
  onLost(error: OtherWriterError | undefined): void
  /** Rejects if the server has the log of another portal. Then nothing is written. */
  verify(): Promise<void>
}

type SoleWriter = {
  /** Lets another process write at once. */
  close(): Promise<void>
}

/**
 * Makes this process the only writer of the event store, for a portal whose consumers all run in one process. Throws OtherWriterError
 * if another one writes. Writes only when a process starts or stops: a new process asks, and a living holder answers.
 */
export const becomeSoleWriter = async ({ url, address, where, onLost, verify }: Options): Promise<SoleWriter> => {
  const engine = connectTo(url)
  const own = { by: randomUUID(), since: new Date().toISOString(), where }

  const newest = async (): Promise<(WriterRecord & { readonly revision: number }) | undefined> => {
    const record = (await readNewestRecords(engine, stream, 1)).at(0)
    return record && { ...recordSchema.parse({ type: record.type, data: record.data }), revision: record.revision }
  }
  /** Returns the revision, or undefined if another process was faster. */
  const write = async (type: WriterRecord['type'], last: number): Promise<number | undefined> => {
    const event = { id: randomUUID(), type, data: JSON.stringify(own), metadata: null }
    const answer = await appendWithRetry(engine, stream, last, [event])
    return answer.kind === 'written' ? answer.revision : undefined
  }
  const otherWriter = ({ data }: WriterRecord) => new OtherWriterError(address, data.where, data.since)

  const take = async (): Promise<number> => {
    const before = await newest()
    if (before === undefined || before.type === 'WriterReleased') {
      const taken = await write('WriterHeld', before?.revision ?? -1)
      return taken ?? take()
    }
    const asked = await write('WriterAsked', before.revision)
    if (asked === undefined) return take()
    await sleep(answerMs)
    const taken = await write('WriterHeld', asked)
    if (taken !== undefined) return taken
    // The holder has answered, or a third process asks.
    throw otherWriter((await newest()) ?? before)
  }

  let held: number
  try {
    held = await take()
  } catch (error) {
    await engine.close()
    throw error
  }

  /** Another one holds the store since. Then its answer is due, and not this process's. */
  let isReplaced = false
  const look = async (): Promise<void> => {
    const now = await newest()
    if (now?.data.by === own.by && now.type === 'WriterHeld') {
      isReplaced = false
      return onLost(undefined)
    }
    await verify()
    if (now?.type === 'WriterHeld' && now.revision > held) isReplaced = true
    // A restored older copy has lost the record of this process.
    const isGone = now === undefined || now.revision < held || now.type === 'WriterReleased'
    if (!isGone && (isReplaced || now.type === 'WriterHeld')) return onLost(otherWriter(now))
    held = (await write('WriterHeld', now?.revision ?? -1)) ?? held
  }
  const polling = startPolling(look, { everyMs: pollEveryMs })

  return {
    close: async () => {
      await polling.stop()
      const now = await newest().catch(() => undefined)
      if (now?.data.by === own.by) await write('WriterReleased', now.revision).catch(() => undefined)
      await engine.close()
    },
  }
}
