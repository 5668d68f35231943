import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'

/** Visiting this many takes less than a millisecond. */
const visitedAtOnce = 1_000

/** Yields to the event loop between parts. */
export const forEachPerson = async <Person>(
  everyone: Iterable<Person>,
  visit: (person: Person) => void,
): Promise<void> => {
  let visited = 0
  for (const person of everyone) {
    if (visited++ % visitedAtOnce === 0) await yieldToEventLoop()
    visit(person)
  }
}
