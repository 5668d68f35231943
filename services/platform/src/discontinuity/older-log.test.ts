import { pino } from 'pino'
import { expect, it } from 'vitest'
import { forgetfulContinuity } from './continuity.ts'
import { wordsOf } from './discontinuity.ts'
import { olderLogReporter } from './older-log.ts'

it.each(['before', 'after'])('PJ-18 records what the event store finds %s the records can be reached', (when) => {
  const continuity = forgetfulContinuity(pino({ level: 'silent' }))
  const { onOlder, reportTo } = olderLogReporter()
  if (when === 'before') onOlder('events behind position 7 are missing')
  reportTo(continuity)
  if (when === 'after') onOlder('events behind position 7 are missing')
  expect(continuity.open().map(wordsOf)).toEqual([
    expect.stringMatching(/^event-log stands still since .*: events behind position 7 are missing .*Run: make replay$/),
  ])
})
