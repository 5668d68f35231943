import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { initiateRegistration } from '@portal/contracts/auth/http'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import { expect, onTestFinished, test } from 'vitest'
import { applicant, startHarness } from '@portal/auth/testing/harness'
import { remoteUniversities } from './listed-universities.ts'

const idAt = (n: number) => universityIdSchema.parse(`01980000-0000-7000-8000-00000000000${n}`)
const universityOf = (name: string, n: number) => ({ _id: idAt(n), name })

/** A catalog that answers with these names, and counts how often it is asked. */
const startCatalog = async (names: string[]) => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.setHeader('content-type', 'application/json').end(JSON.stringify(names.map(universityOf)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { catalogUrl: `http://127.0.0.1:${port}`, asked: () => asked }
}

test('fetches the list once, and again for a missing name', async () => {
  const names = ['Northfield']
  const catalog = await startCatalog(names)
  let nowMs = 0
  const universities = remoteUniversities({ catalogUrl: catalog.catalogUrl, elapsedMs: () => nowMs })
  expect(await Promise.all(['Northfield', 'Northfield', 'Nowhere'].map(universities.find))).toEqual([
    ok(idAt(0)),
    ok(idAt(0)),
    rejected('not-listed'),
  ])
  expect(catalog.asked()).toBe(1)
  names.push('Southfield')
  expect(await universities.find('Southfield')).toEqual(rejected('not-listed'))
  nowMs += 1_000
  expect(await universities.find('Southfield')).toEqual(ok(idAt(1)))
  expect(await universities.find('Northfield')).toEqual(ok(idAt(0)))
  expect(catalog.asked()).toBe(2)
})

test('accepts any university while the catalog is unavailable', async () => {
  const universities = remoteUniversities({ catalogUrl: 'http://127.0.0.1:1', elapsedMs: () => 0 })
  expect(await universities.find('Northfield')).toEqual(ok(undefined))
})

test('a registration must name a listed university if the list can be read', async () => {
  const listed = new Map([[applicant.universityName, ok(idAt(0))]])
  const portal = await startHarness({
    universities: { find: async (name) => listed.get(name) ?? rejected('not-listed') },
  })
  onTestFinished(portal.stop)
  const message = 'Please choose a university from the list'
  expect(
    await portal.refuse(initiateRegistration, { body: { ...applicant, universityName: 'Nowhere' } }),
  ).toMatchObject({ status: 400, message, errors: { universityName: message } })
  expect(await portal.recorded()).toEqual([])
  await portal.register()
  // It was deleted since: the profile keeps it.
  listed.clear()
  expect((await portal.logIn()).user).toMatchObject({ universityName: applicant.universityName })
})
