import { EventStoreUnavailableError } from '@portal/platform/event-store/errors'
import { expect, it, vi } from 'vitest'
import { CommandError } from '../command.ts'
import { recordAfterwards } from './record-afterwards.ts'

const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const fullDatabase = Object.assign(new Error('database or disk is full'), { errcode: 13 })

const linesFor = async (error: Error) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await recordAfterwards({ what: 'The backup is complete', dataDir: '/data' }, async () => {
      throw error
    })
    return written.mock.calls.map(([text]) => String(text))
  } finally {
    written.mockRestore()
  }
}

it('prints one line if the disk is full or an engine is down', async () => {
  const line = 'The backup is complete, but this is not recorded: The disk of /data is full: free some space\n'
  expect(await linesFor(full)).toEqual([line])
  expect(await linesFor(fullDatabase)).toEqual([line])
  expect(await linesFor(new CommandError('Redis is down'))).toEqual([
    'The backup is complete, but this is not recorded: Redis is down\n',
  ])
  const unavailable = new EventStoreUnavailableError(new Error('no connection'))
  expect(await linesFor(unavailable)).toEqual([
    `The backup is complete, but this is not recorded: ${unavailable.message}\n`,
  ])
})

it('does not hide a bug', async () => {
  await expect(linesFor(new TypeError('x is not a function'))).rejects.toThrow('x is not a function')
})
