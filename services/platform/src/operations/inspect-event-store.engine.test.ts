import { EventStoreDBClient } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEventStoreDb } from '../event-store/eventstoredb.ts'
import { startSecureStandIn } from '@portal/engines/event-store/start'
import { grantReadingAll, inspectEventStore } from './inspect-event-store.ts'

let standIn: Awaited<ReturnType<typeof startSecureStandIn>>
beforeEach(async () => {
  const others = ['least', 'another'].map((user) => ({ user, password: 'right' }))
  standIn = await startSecureStandIn({ user: 'portal', password: 'right' }, others)
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
  const { rights } = await inspectEventStore(standIn.urlOf('least', 'right'))
  expect(rights.filter(({ isGranted }) => !isGranted)).toEqual([{ of: '$all', action: 'read', isGranted: false }])
})

it('reports no rights of a user whose password is wrong', async () => {
  await expect(inspectEventStore(standIn.urlOf('least', 'wrong'))).rejects.toThrow('16 UNAUTHENTICATED')
})

it('grants read access to the log and keeps existing grants', async () => {
  const url = standIn.urlOf('portal', 'right')
  expect(await grantReadingAll(url, 'least')).toBe('granted')
  expect(await grantReadingAll(url, 'another')).toBe('granted')
  expect(await grantReadingAll(url, 'nobody')).toBe('no-such-user')
  const client = EventStoreDBClient.connectionString(url)
  const { metadata } = await client.getStreamMetadata('$all')
  expect(metadata?.acl?.readRoles).toEqual(['$admins', 'least', 'another'])
  await client.dispose()
  const { rights } = await inspectEventStore(standIn.urlOf('least', 'right'))
  expect(rights.filter(({ isGranted }) => !isGranted)).toEqual([])
})
