import { DatabaseSync } from 'node:sqlite'
import { WriteFailedError } from '@portal/platform/event-store/errors'
import { expect, it } from 'vitest'
import { wrapDiskErrors } from './disk-errors.ts'

const fullDatabase = (): unknown => {
  const database = new DatabaseSync(':memory:')
  try {
    database.exec('PRAGMA max_page_count = 1; CREATE TABLE one (value TEXT)')
  } catch (error) {
    return error
  } finally {
    database.close()
  }
  return undefined
}

const saysFull = 'The disk of data is full: free some space, then run the command again'

it('says that the disk is full if that is the cause of a failed write', async () => {
  const refused = new WriteFailedError(fullDatabase(), 'events.db')
  await expect(wrapDiskErrors('data', () => Promise.reject(refused))).rejects.toThrow(saysFull)
  const many = new AggregateError([new Error('aborted'), refused], '2 failed')
  await expect(wrapDiskErrors('data', () => Promise.reject(many))).rejects.toThrow(saysFull)
})

it('passes other errors on', async () => {
  const other = new Error('unexpected', { cause: new Error('its cause') })
  await expect(wrapDiskErrors('data', () => Promise.reject(other))).rejects.toBe(other)
})
