import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newDataFolder } from '../testing/portal-process.ts'
import { eventTypes } from './event-schemas.ts'
import { readLog } from './rebuild.ts'
import { recordEveryEvent } from './record-every-event.ts'

test('the next golden folder would have every event type', { tags: ['verify'] }, async () => {
  const { path, remove } = await newDataFolder()
  onTestFinished(remove)
  await recordEveryEvent(path)
  const recorded = new Set((await readLog(join(path, 'events.db'))).map(({ type }) => type))
  expect(
    eventTypes.filter((type) => !recorded.has(type)),
    'record them in drive-*.ts',
  ).toEqual([])
})
