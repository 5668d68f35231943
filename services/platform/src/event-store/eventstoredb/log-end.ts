import type { Engine, EngineRecord } from './client.ts'
import type { LogEvent } from './continuity.ts'
import { isAfter, type EventStoreDbPosition } from './log-position.ts'
import { itemsOf } from './read.ts'

/** The streams of the port: `category-rest`. Neither system streams nor those that have no category. */
export const categoryStreams = '^[a-zA-Z][a-zA-Z0-9]*-'
const isOfCategory = new RegExp(categoryStreams)

/** That a stream has ended is said in that stream itself; it is no event of ours. */
export const isEvent = ({ stream, type }: EngineRecord): boolean =>
  isOfCategory.test(stream) && type !== '$streamDeleted'

/** It is asked for in health checks, which do not wait long. */
const newestTimeoutMs = 2_000

/** Between two shared looks. Longer while one follows the other, so that they are few beside the appends. */
const lookPauses = { firstMs: 20, longestMs: 500 } as const

export type Look = {
  /** The last event of the log. */
  readonly end: LogEvent | 'start'
  /** The last wanted event behind the place that was asked for. */
  readonly lastWanted: EventStoreDbPosition | undefined
}

/** What a subscription wants to know of the end. */
type Question = {
  /** Asked when the look begins. */
  behind(): EventStoreDbPosition | 'start'
  isWanted(record: EngineRecord): boolean
  answer(look: Look): void
  fail(error: unknown): void
}

export type LogEnd = {
  /** Takes note of an event of the log, so that nothing has to look beyond it for the end. */
  note(event: LogEvent): void
  /** The last event that was taken note of. */
  latest(): LogEvent | 'start'
  look(): Promise<Look>
  /** Answered by the next of the looks that all subscriptions share; the answer withdraws the question. */
  ask(question: Question): () => void
  /** The newest record of all. */
  newest(): Promise<EventStoreDbPosition | 'start'>
  forget(): void
}

/** Mostly the end is near; the further back it is, the larger the pages. */
const pageRecords = { first: 8, most: 512 } as const

async function* backwards(engine: Engine): AsyncGenerator<EngineRecord, void, undefined> {
  let before: EventStoreDbPosition | 'end' = 'end'
  for (let limit: number = pageRecords.first; ; limit = Math.min(4 * limit, pageRecords.most)) {
    const from: EventStoreDbPosition | 'end' = before
    let count = 0
    for await (const record of itemsOf(engine.readAllBackwards(from, limit), engine.limitMs())) {
      count += 1
      before = record.position
      yield record
    }
    const hasMoved = before !== 'end' && (from === 'end' || isAfter(from, before))
    if (count < limit || !hasMoved) return
  }
}

const placeOf = (event: LogEvent | 'start'): EventStoreDbPosition | 'start' =>
  event === 'start' ? 'start' : event.position

/**
 * Finds the end of the log by reading it backwards: EventStoreDB's own records lie between and behind the events. Calls
 * `onShorter` with an event that lies behind the newest record.
 */
export const logEnd = (engine: Engine, onShorter: (event: LogEvent) => void): LogEnd => {
  let known: LogEvent | 'start' = 'start'
  const questions = new Set<Question>()
  let isLooking = false
  /** A caller waits for the next look, however soon it comes. */
  let isUrgent = false
  let timer: NodeJS.Timeout | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  let pauseMs: number = lookPauses.firstMs

  const note = (event: LogEvent): void => {
    if (isAfter(event.position, placeOf(known))) known = event
  }
  const compare = (before: LogEvent | 'start', newest: EventStoreDbPosition): void => {
    if (before !== 'start' && isAfter(before.position, newest)) onShorter(before)
  }

  const lookFor = async (asked: readonly Question[]): Promise<readonly Look[]> => {
    // As it was before the look: what is appended meanwhile may lie behind what is looked at.
    const before = known
    const open = asked.map((question) => {
      const found: { behind: EventStoreDbPosition | 'start'; lastWanted?: EventStoreDbPosition } = {
        behind: question.behind(),
      }
      return { question, found }
    })
    let end: LogEvent | undefined
    let isFirst = true
    for await (const record of backwards(engine)) {
      const { position: place, id } = record
      if (isFirst) compare(before, place)
      isFirst = false
      if (isEvent(record)) {
        end ??= { position: place, id }
        for (const { question, found } of open) {
          if (isAfter(place, found.behind) && question.isWanted(record)) found.lastWanted ??= place
        }
      }
      const isEndFound = end !== undefined || !isAfter(place, placeOf(before))
      if (isEndFound && open.every(({ found }) => found.lastWanted !== undefined || !isAfter(place, found.behind)))
        break
    }
    if (end !== undefined) note(end)
    return open.map(({ found }) => ({ end: end ?? before, lastWanted: found.lastWanted }))
  }

  const lookForAll = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (isLooking || questions.size === 0) return
    isLooking = true
    isUrgent = false
    const asked = [...questions]
    questions.clear()
    try {
      const looks = await lookFor(asked)
      asked.forEach((question, n) => {
        const look = looks[n]
        if (look !== undefined) question.answer(look)
      })
    } catch (error) {
      for (const question of asked) question.fail(error)
    }
    const nowMs = performance.now()
    const isRepeated = nowMs - lookedMs < 2 * lookPauses.longestMs
    pauseMs = isRepeated ? Math.min(2 * pauseMs, lookPauses.longestMs) : lookPauses.firstMs
    lookedMs = nowMs
    isLooking = false
    schedule()
  }
  const schedule = (): void => {
    if (isLooking || timer !== undefined || questions.size === 0) return
    const inMs = isUrgent ? 0 : Math.max(0, lookedMs + pauseMs - performance.now())
    timer = setTimeout(() => void lookForAll(), inMs)
  }

  return {
    note,
    latest: () => known,
    look: () =>
      new Promise((answer, fail) => {
        questions.add({ behind: () => 'start', isWanted: () => true, answer, fail })
        isUrgent = true
        void lookForAll()
      }),
    ask: (question) => {
      questions.add(question)
      schedule()
      return () => questions.delete(question)
    },
    newest: async () => {
      const before = known
      const firstMs = Math.min(engine.limitMs(), newestTimeoutMs)
      for await (const { position: place } of itemsOf(engine.readAllBackwards('end', 1), firstMs)) {
        compare(before, place)
        return place
      }
      return 'start'
    },
    forget: () => {
      known = 'start'
    },
  }
}
