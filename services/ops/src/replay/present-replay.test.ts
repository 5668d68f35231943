import { expect, it } from 'vitest'
import { rollbackText } from './present-replay.ts'

it('says which replaced generations a rollback keeps', () => {
  const one = { projection: 'inbox', generation: 'inbox-main', previous: 'inbox-20261121t140102' }
  const other = { projection: 'devices', generation: 'devices-main', previous: 'devices-20261121t140102' }
  expect(
    rollbackText([
      { ...one, isRepair: false },
      { ...other, isRepair: true },
    ]).split('\n'),
  ).toEqual([
    'inbox: inbox-main is active again; inbox-20261121t140102 is kept',
    'devices: devices-main is active again; devices-20261121t140102 was incomplete and is not used again',
  ])
})
