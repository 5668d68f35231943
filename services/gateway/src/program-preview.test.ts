import { getProgram } from '@portal/contracts/catalog/http'
import type { Program } from '@portal/contracts/catalog/program'
import { createHttpApp } from '@portal/platform/http/create-app'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { proxyCalls } from './calls/proxy.ts'
import { programPreviews, type ReadProgramPreview } from './program-preview.ts'

const id = '01980000-0000-7000-8000-000000000001'
const path = `/program-details-active/${id}`

let app: FastifyInstance
let catalog: FastifyInstance | undefined
let read: ReadProgramPreview
let requested: string[]
let answer: () => unknown

const answerWith = (fields: Partial<Program>) => {
  const program = {
    _id: id,
    programId: 'MIN-1',
    programName: 'Minor in AI',
    detail: 'What it is about.',
    semesterCount: 3,
    fee: '',
    collegeName: '',
    eligibility: '',
    semesters: [],
    enrollmentDetails: { fee: '' },
    toolkit: [],
    facts: [],
    ...fields,
  }
  answer = () => ({ success: true, data: program })
}

beforeEach(() => {
  requested = []
  const hosts = ({ headers }: { readonly headers: { readonly host?: string | undefined } }) =>
    headers.host === 'portal.example'
  app = createHttpApp({ logger: pino({ level: 'silent' }), hosts })
  app.get(getProgram.path, async ({ url }) => {
    requested.push(url)
    return answer()
  })
  read = programPreviews(app)
  answerWith({})
})
afterEach(async () => {
  await app.close()
  await catalog?.close()
  catalog = undefined
})

it.each([path, `/Program-Details-Inactives/${id.toUpperCase()}/`])(
  'the preview of %s is name and description of the program, at one address',
  async (at) => {
    expect(await read(at, 'portal.example')).toEqual({
      preview: { title: 'Minor in AI', description: 'What it is about.' },
      address: `/program-details-inactives/${id}`,
    })
    expect(requested).toEqual([`/programs/${id}`])
  },
)

it('is the start of a long description, in one line and up to a whole word', async () => {
  const descriptionOf = async (detail: string) => {
    answerWith({ detail })
    const found = await read(path, 'portal.example')
    return typeof found === 'string' ? found : found.preview.description
  }
  expect(await descriptionOf('  Four\n\ntracks. ')).toBe('Four tracks.')
  expect(await descriptionOf('word '.repeat(100))).toBe(`${'word '.repeat(39)}word…`)
  expect(await descriptionOf('𝒜'.repeat(300))).toBe(`${'𝒜'.repeat(200)}…`)
  expect(await descriptionOf('x'.repeat(300))).toBe(`${'x'.repeat(200)}…`)
  expect(await descriptionOf('x'.repeat(200))).toBe('x'.repeat(200))
})

it('is not asked for at other addresses', async () => {
  for (const at of [
    '/home',
    '/program-details-active/new',
    `/programs/${id}`,
    `${path}/x`,
    '/program-details-active/%zz',
  ])
    expect([at, await read(at, 'portal.example')]).toEqual([at, 'not-found'])
  expect(requested).toEqual([])
})

it('is not found if the catalog does not know the program, and not read if it fails or answers something else', async () => {
  expect(await read(path, 'evil.example')).toBe('not-read')
  answer = () => {
    throw new Error('away')
  }
  expect(await read(path, 'portal.example')).toBe('not-read')
  answer = () => ({ success: true })
  expect(await read(path, 'portal.example')).toBe('not-read')
  answer = () => {
    throw Object.assign(new Error('Program not found'), { statusCode: 404 })
  }
  expect(await read(path, 'portal.example')).toBe('not-found')
  await app.close()
  expect(await read(path, 'portal.example')).toBe('not-read')
})

it('does not wait for a slow catalog, nor pile up requests to it', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  answer = () => promise
  const reads = await Promise.all(Array.from({ length: 40 }, () => read(path, 'portal.example')))
  expect(new Set(reads)).toEqual(new Set(['not-read']))
  expect(requested).toHaveLength(32)
  answerWith({})
  expect(await read(path, 'portal.example')).toBe('not-read')
  resolve({})
  await expect.poll(() => read(path, 'portal.example')).toMatchObject({ preview: { title: 'Minor in AI' } })
})

it('is the same where the catalog is another process', async () => {
  catalog = app
  const address = await catalog.listen({ host: '127.0.0.1', port: 0 })
  app = createHttpApp({ logger: pino({ level: 'silent' }), trustProxy: 'loopback' })
  await proxyCalls(app, { auth: address, catalog: address, notifications: address })
  expect(await programPreviews(app)(path, 'portal.example')).toMatchObject({ preview: { title: 'Minor in AI' } })
})
