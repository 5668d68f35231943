import { convertToCommandError } from '@eventstore/db-client'
import { serverError, type ServerErrorName, serverErrorRows } from '@portal/engines/event-store/server-errors'
import { expect, test } from 'vitest'
import { EventStoreUnavailableError, StoreAccessError, UnknownPositionError } from '../errors.ts'
import { mapError, mapErrorAtPosition, StreamTombstonedError } from './map-error.ts'

const values = {
  'stream-name': 'cat-a',
  'expected-version': '3',
  'actual-version': '1',
  operation: 'Delete',
  'maximum-append-size': '1048576',
  'leader-endpoint-host': 'es2',
  'leader-endpoint-port': '2113',
  reason: 'the disk is full',
}
const errorOf = (name: ServerErrorName): Error => convertToCommandError(serverError(name, values))

test('each error of the server becomes the error of the port that its callers distinguish', () => {
  const expected: Readonly<Record<ServerErrorName, readonly [new (...args: never[]) => Error, string]>> = {
    unauthenticated: [
      StoreAccessError,
      'EventStoreDB rejects the user or the password in EVENT_STORE_URL (Unauthenticated): correct them',
    ],
    accessDenied: [
      StoreAccessError,
      'EventStoreDB denies access to the user that EVENT_STORE_URL names (Access Denied): make doctor names the missing right',
    ],
    invalidPosition: [UnknownPositionError, 'no event at this position'],
    invalidFilteredPosition: [UnknownPositionError, 'no event at this position'],
    timedOut: [EventStoreUnavailableError, 'does not answer'],
    notReady: [EventStoreUnavailableError, 'does not answer'],
    notLeader: [EventStoreUnavailableError, 'does not answer'],
    streamDeleted: [StreamTombstonedError, 'tombstoned'],
    wrongExpectedVersion: [
      Error,
      'Delete failed due to WrongExpectedVersion. Stream: cat-a, Expected version: 3, Actual version: 1',
    ],
    appendTooLarge: [Error, 'EventStoreDB accepts 1048576 bytes per append; set its MaxAppendSize to 4194304'],
    answerLost: [EventStoreUnavailableError, 'does not answer'],
    failed: [EventStoreUnavailableError, 'does not answer'],
  }
  const names = Object.keys(serverErrorRows) as ServerErrorName[] // the keys of the table
  const mapped = names.map((name) => {
    const error = mapErrorAtPosition(errorOf(name))
    const [type, message] = expected[name]
    return { name, isOfType: error instanceof type, message: error.message.includes(message) ? message : error.message }
  })
  expect(mapped).toEqual(names.map((name) => ({ name, isOfType: true, message: expected[name][1] })))
})

test('a cluster in which the client finds no leader does not answer', () => {
  // The client's own text, without a status.
  const error = new Error('Failed to discover after 10 attempts.')
  expect(mapError(error)).toBeInstanceOf(EventStoreUnavailableError)
})

test('an error of a read from the end is no unknown position', () => {
  expect(mapError(errorOf('invalidPosition'))).toBeInstanceOf(EventStoreUnavailableError)
})
