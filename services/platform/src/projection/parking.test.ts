import { expect, it } from 'vitest'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { park, parkingLimits, reasonOf } from './parking.ts'
import { partitionsWithParking, registerParking } from './parking-register.ts'
import { noteEnvelope } from './testing/tally.ts'

it('PJ-7 a partition with too many parked messages stops its projection instead of parking more', () => {
  const envelope = noteEnvelope(1, 'a', 1)
  const almost = { arrivals: 20_000, keys: new Map([['a', parkingLimits.perPartition - 1]]) }
  const { head } = park('tally', almost, envelope, 'why')
  expect(() => park('tally', head, envelope, 'why')).toThrow('stops')
})

it('PJ-4 keeps at most a thousand characters of the reason', () => {
  expect(reasonOf(new TypeError('x'.repeat(5_000)))).toHaveLength(parkingLimits.reasonChars)
  expect(reasonOf('thrown text')).toBe('thrown text')
})

it('the register names each partition once, whoever writes it', async () => {
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'main' })
  await Promise.all(['a', 'b', 'a', 'c', 'b'].map((partition) => registerParking(readModel, 'tally', partition)))
  await registerParking(readModel, 'other', 'z')
  expect((await partitionsWithParking(readModel, 'tally')).toSorted()).toEqual(['a', 'b', 'c'])
  await readModel.close()
})
