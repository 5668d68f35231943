import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStoreUnavailableError } from '../errors.ts'
import type { Arrivals } from './arrivals.ts'
import type { Engine, EngineRecord } from './client.ts'

/** A read from which nothing has come for so long is given up. */
const silenceMs = 5_000

/** What a call brings, piece by piece; an error when it is silent for too long. Leaving the loop gives the call up. */
export async function* piecesOf<T>(call: Arrivals<T>, mostSilenceMs = silenceMs): AsyncGenerator<T, void, undefined> {
  let isSilent = false
  try {
    for (;;) {
      const piece = call.take()
      if (piece !== undefined) {
        isSilent = false
        yield piece
        continue
      }
      const ended = call.ending()
      if (ended?.error !== undefined) throw ended.error
      if (ended !== undefined) return
      if (isSilent) throw new EventStoreUnavailableError()
      const sinceMs = performance.now()
      await call.changed(mostSilenceMs)
      isSilent = performance.now() - sinceMs >= mostSilenceMs
      // When it was this process that stood still, what has come meanwhile is read first.
      if (isSilent) await nextTurn()
    }
  } finally {
    call.stop()
  }
}

/** A stream's records from a revision on. A call that breaks off is taken up again where it was. */
export async function* recordsOf(
  engine: Engine,
  stream: string,
  from: number,
): AsyncGenerator<EngineRecord, void, undefined> {
  let next = from
  const open = async () => {
    const records = piecesOf(engine.readStream(stream, next))
    return { records, first: await records.next() }
  }
  for (;;) {
    const { records, first } = await engine.patiently(open)
    try {
      for (let step = first; step.done !== true; step = await records.next()) {
        next = step.value.revision + 1
        yield step.value
      }
      return
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error
    } finally {
      await records.return()
    }
  }
}
