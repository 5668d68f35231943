import { expect, it } from 'vitest'
import { differingKeys, type Serving } from './generations.ts'

const older = 'inbox.v4-20261121t140102'
const newer = 'inbox.v4-20261122t090000'
const found = (serving: Serving) => differingKeys({ serving: { 'inbox.v4': serving } })

it('finds a difference as long as a rejected generation is newer than the active one', () => {
  expect(found({ generation: 'inbox.v4-main', refused: newer })).toEqual(['inbox.v4'])
  expect(found({ generation: older, refused: newer })).toEqual(['inbox.v4'])
  expect(found({ generation: newer, previous: older })).toEqual([])
})

it('finds none in an incomplete generation that was replaced', () => {
  expect(found({ generation: newer, refused: older })).toEqual([])
  expect(found({ generation: newer, refused: 'inbox.v4-main' })).toEqual([])
})
