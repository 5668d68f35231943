import { EventStoreDBClient } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEventStoreDb } from '../event-store/eventstoredb.ts'
import { startSecureStandIn } from '@portal/engines/event-store/start'
import { grantReadingAll, inspectEventStore } from './inspect-event-store.ts'

let standIn: Awaited<ReturnType<typeof startSecureStandIn>>
beforeEach(async () => {
  standIn = await startSecureStandIn({ user: 'portal', password: 'right' })
})
afterEach(() => standIn.stop())

it('tries each right without leaving an event', async () => {
  const url = standIn.urlOf('portal', 'right')
  const { user, rights } = await inspectEventStore(url)
  expect(user).toBe('portal')
  expect(rights.length).toBeGreaterThan(20)
  expect(rights.filter(({ isGranted }) => !isGranted)).toEqual([])
  const store = await openEventStoreDb({ url })
  expect(await store.end()).toBe('start')
  await store.close()
})

it('reports missing rights', async () => {
  const { rights } = await inspectEventStore(standIn.urlOf('other', 'wrong'))
  expect(rights.find(({ of }) => of === '$all')).toEqual({ of: '$all', action: 'read', isGranted: false })
})

it('grants read access to the log and keeps existing grants', async () => {
  const url = standIn.urlOf('portal', 'right')
  await grantReadingAll(url, 'least')
  await grantReadingAll(url, 'another')
  const client = EventStoreDBClient.connectionString(url)
  const { metadata } = await client.getStreamMetadata('$all')
  expect(metadata?.acl?.readRoles).toEqual(['$admins', 'least', 'another'])
  await client.dispose()
})
