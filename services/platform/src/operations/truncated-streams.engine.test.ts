import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { startStandIn } from '@portal/engines/event-store/start'
import { expect, it, onTestFinished } from 'vitest'
import { findTruncatedStreams } from './truncated-streams.ts'

const timeoutMs = 60_000

it('names the portal’s streams that their newest metadata truncates, and no erased keys', async () => {
  const standIn = await startStandIn()
  const client = EventStoreDBClient.connectionString(standIn.url)
  onTestFinished(async () => {
    await client.dispose()
    await standIn.stop()
  })
  const find = () => findTruncatedStreams(standIn.url, { timeoutMs })
  expect(await find()).toEqual({ streams: [], isComplete: true })

  const event = () => jsonEvent({ type: 'Happened', data: {} })
  for (const stream of ['user-1', 'userkey!1', 'userkey!2', 'program-1']) await client.appendToStream(stream, event())
  await client.setStreamMetadata('user-1', { maxCount: 10 })
  await client.setStreamMetadata('user-2', { maxAge: 60 })
  await client.setStreamMetadata('userkey!1', { truncateBefore: 1 })
  await client.setStreamMetadata('userkey!2', { maxCount: 1 })
  await client.tombstoneStream('userkey!2')
  await client.deleteStream('program-1')
  await client.setStreamMetadata('campaign-1', { maxCount: 10 })
  await client.setStreamMetadata('campaign-1', {})
  await client.setStreamMetadata('session-1', { acl: { readRoles: ['portal'] } })
  await client.setStreamMetadata('device-1', { truncateBefore: 0 })
  await client.setStreamMetadata('another-1', { maxCount: 10 })
  expect(await find()).toEqual({
    streams: [
      { stream: 'program-1', by: '$tb 9223372036854776000' },
      { stream: 'userkey!1', by: '$tb 1' },
      { stream: 'user-2', by: '$maxAge 60' },
      { stream: 'user-1', by: '$maxCount 10' },
    ],
    isComplete: true,
  })
})
