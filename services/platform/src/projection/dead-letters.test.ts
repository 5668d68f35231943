import { expect, it } from 'vitest'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import {
  addDeadLetter,
  deadLetterLimits,
  partitionsWithDeadLetters,
  reasonOf,
  registerDeadLetters,
} from './dead-letters.ts'
import { noteEnvelope } from '@portal/platform/testing/projection/tally'

it('PJ-7 a partition with too many dead letters stops its projection instead of adding another', () => {
  const envelope = noteEnvelope(1, 'a', 1)
  const almost = { arrivals: 20_000, keys: new Map([['a', deadLetterLimits.perPartition - 1]]) }
  const { head } = addDeadLetter('tally', almost, envelope, 'why')
  expect(() => addDeadLetter('tally', head, envelope, 'why')).toThrow('stops')
})

it('PJ-4 stores at most a thousand characters of the reason', () => {
  expect(reasonOf(new TypeError('x'.repeat(5_000)))).toHaveLength(deadLetterLimits.reasonChars)
  expect(reasonOf('thrown text')).toBe('thrown text')
})

it('the register names each partition once, also with concurrent writers', async () => {
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'main' })
  await Promise.all(['a', 'b', 'a', 'c', 'b'].map((partition) => registerDeadLetters(readModel, 'tally', partition)))
  await registerDeadLetters(readModel, 'other', 'z')
  expect((await partitionsWithDeadLetters(readModel, 'tally')).toSorted()).toEqual(['a', 'b', 'c'])
  await readModel.close()
})
