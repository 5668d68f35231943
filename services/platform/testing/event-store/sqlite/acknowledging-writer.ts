import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { openSqliteEventStore } from '../../../src/event-store/sqlite.ts'

/**
 * The child process of sqlite.process.test.ts: appends until it is killed, and prints the ids of each append once it is
 * acknowledged.
 */
const path = process.argv[2]
if (path === undefined) throw new Error('Usage: acknowledging-writer.ts PATH')
const store = openSqliteEventStore({ path })

const appendForever = async (writer: number): Promise<never> => {
  for (let n = 0; ; n++) {
    const events = Array.from({ length: 1 + (n % 4) }, () => ({
      id: randomUUID(),
      type: 'Written',
      data: { writer, n },
    }))
    const answer = await store.append(`written-${writer % 5}`, 'any', events)
    // console.log may buffer; a written line survives the kill.
    if (answer.kind === 'appended') writeSync(1, `${events.map((event) => event.id).join(' ')}\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, (_, writer) => appendForever(writer)))
