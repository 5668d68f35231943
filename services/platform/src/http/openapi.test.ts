import * as accountErrors from '@portal/contracts/auth/account-errors'
import * as authErrors from '@portal/contracts/auth/errors'
import * as authCalls from '@portal/contracts/auth/http'
import * as catalogErrors from '@portal/contracts/catalog/errors'
import * as catalogCalls from '@portal/contracts/catalog/http'
import * as notificationErrors from '@portal/contracts/notifications/errors'
import * as notificationCalls from '@portal/contracts/notifications/http'
import { allRoutes } from '@portal/contracts/route-table'
import type { ProblemCode } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rejected } from '../decider/decider.ts'
import { makeBindRoute } from './bind-route.ts'
import { createHttpApp } from './create-app.ts'
import { serveDocs } from './docs-page.ts'
import { registerOpenApi } from './openapi.ts'
import { apiErrors } from './problem.ts'

const contentSchema = z.record(
  z.string(),
  z.looseObject({
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
  }),
)
const operationSchema = z.looseObject({
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string(), content: contentSchema.optional() })),
})
const documentSchema = z.object({
  openapi: z.string(),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
})

/** What is wrong with each route. */
const faults = (of: (route: AnyRoute) => readonly unknown[]): readonly unknown[] =>
  allRoutes.flatMap((route: AnyRoute) => of(route).map((fault) => [`${route.method} ${route.path}`, fault]))

let app: FastifyInstance
let document: z.infer<typeof documentSchema>

const operationOf = ({ method, path }: Pick<AnyRoute, 'method' | 'path'>) => {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`)
  return operation
}

beforeAll(async () => {
  app = createHttpApp({ logger: pino({ level: 'silent' }) })
  await registerOpenApi(app, { title: 'Portal', version: '1.2.3', description: '' })
  await serveDocs(app, { title: 'Portal' })
  app.get('/health', async () => ({}))
  const bind = makeBindRoute({ sessions: { verify: async () => undefined }, validateResponses: true })
  for (const route of allRoutes) bind(app, route, async () => rejected(apiErrors.unavailable))
  document = documentSchema.parse((await app.inject({ url: '/docs/json' })).json())
})
afterAll(() => app.close())

it('documents every bound route by its contract, and nothing else', async () => {
  expect([document.openapi, document.info]).toEqual(['3.1.0', { title: 'Portal', version: '1.2.3' }])
  const described = Object.entries(document.paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const expected = allRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(described.toSorted()).toEqual(expected.toSorted())

  expect(operationOf(notificationCalls.sendNotification)).toMatchObject({
    summary: notificationCalls.sendNotification.summary,
    tags: ['notifications'],
    security: [{ bearer: [] }, { cookie: [] }, { apiKey: [] }],
    requestBody: {
      content: { 'application/json': { schema: { required: ['title', 'message'], type: 'object' } } },
    },
    parameters: [{ in: 'header', name: 'idempotency-key', required: false }],
  })
  expect(operationOf(notificationCalls.listNotifications)).toMatchObject({
    parameters: [
      { in: 'query', name: 'page', required: false },
      { in: 'query', name: 'limit', required: false },
      { in: 'query', name: 'filter', required: false },
      { in: 'query', name: 'type', required: false },
      { in: 'query', name: 'q', required: false },
    ],
  })
  expect(operationOf(notificationCalls.exportRecipients)).toMatchObject({
    responses: { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } },
  })
  expect(operationOf(authCalls.logIn)).toMatchObject({ security: [] })
  expect((await app.inject({ url: '/docs/' })).headers['content-type']).toContain('text/html')
})

describe('every call', () => {
  it('lists the statuses that follow from its access and its parts, and those of its own rules', () => {
    const statuses = (route: AnyRoute) => Object.keys(operationOf(route).responses)
    expect(statuses(catalogCalls.listUniversities)).toEqual(['200', '403', '421', '500', '503'])
    expect(statuses(catalogCalls.listMyPrograms)).toEqual(['200', '401', '403', '421', '500', '503'])
    expect(statuses(catalogCalls.getProgram)).toEqual(['200', '400', '403', '404', '421', '500', '503'])
    expect(statuses(catalogCalls.enrollInProgram)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '421',
      '500',
      '503',
      '504',
    ])
    expect(statuses(authCalls.logIn)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '421',
      '429',
      '500',
      '503',
      '504',
    ])
  })

  it('documents each of its errors with code and message', () => {
    const found = faults((route) => {
      const { responses } = operationOf(route)
      const messages = Object.entries(responses).flatMap(([status, { content }]) =>
        status === '200' ? [] : Object.keys(content?.['application/json']?.examples ?? {}),
      )
      const missing = (route.errors ?? [])
        .map(({ message }) => message)
        .filter((message) => !messages.includes(message))
      const twice = messages.filter((message, index) => messages.indexOf(message) !== index)
      const undescribed = Object.keys(responses).filter((key) => responses[key]?.description === 'Default Response')
      return [...missing, ...twice, ...undescribed]
    })
    expect(found).toEqual([])
  })

  it('has examples that its contract accepts', () => {
    const found = faults((route) => {
      const { requestBody, responses } = operationOf(route)
      const request = requestBody?.content['application/json']
      const answer = responses['200']?.content?.['application/json']
      const schema = route.strictResponse ?? route.response
      return [
        ...(request ? [route.body.safeParse(request.example).error] : []),
        ...(answer ? [schema.safeParse(answer.example).error] : []),
      ].filter((error) => error !== undefined)
    })
    expect(found).toEqual([])
  })

  it('says how an address of a picture begins, and shows a picture that can be uploaded', () => {
    const bodyOf = (route: AnyRoute) => operationOf(route).requestBody?.content['application/json']
    const schemaOf = (route: AnyRoute) => bodyOf(route)?.schema
    expect(schemaOf(catalogCalls.addTool)).toMatchObject({ properties: { logoUrl: { pattern: '^(https://|/)' } } })
    expect(schemaOf(catalogCalls.addFact)).toMatchObject({ properties: { imageUrl: { pattern: '^$|^(https://|/)' } } })
    const types = JSON.stringify(document.paths['/notifications']?.['get'])
    expect(types).toContain('^(System Maintenance|')
    const { file } = z.object({ file: z.base64() }).parse(bodyOf(catalogCalls.uploadPicture)?.example)
    expect(Buffer.from(file, 'base64').toString('latin1')).toMatch(/^RIFF....WEBP/)
  })
})

/** Whether a call of this kind can have such an error of its own. The others follow from the contract. */
const isPlausible = ({ method, access, params, query, body }: AnyRoute, code: ProblemCode): boolean => {
  const hasInput = [params, query, body].some((schema) => !(schema instanceof z.ZodUnknown))
  switch (code) {
    case 'invalid':
    case 'not-found':
      return hasInput
    case 'conflict':
      return method !== 'GET'
    case 'payload-too-large':
    case 'unsupported-media-type':
      return !(body instanceof z.ZodUnknown)
    case 'forbidden':
    case 'second-factor-required':
      return access === 'signed-in'
    case 'unauthenticated':
      return access === 'public'
    case 'too-many-requests':
    case 'unavailable':
      return true
    default:
      return false
  }
}

describe('the declared errors', () => {
  it('are plausible', () => {
    expect(faults((route) => (route.errors ?? []).filter(({ code }) => !isPlausible(route, code)))).toEqual([])
  })

  it('are all used by a route', () => {
    const listed = new Set(allRoutes.flatMap((route: AnyRoute) => (route.errors ?? []).map(({ message }) => message)))
    const modules = [authErrors, accountErrors, catalogErrors, notificationErrors]
    const declared = modules.flatMap((module) =>
      Object.values(module).flatMap((error) => ('message' in error ? [error] : [])),
    )
    expect(declared.length).toBeGreaterThan(30)
    expect(declared.filter(({ message }) => !listed.has(message))).toEqual([])
  })
})

it('has examples that look like real values', () => {
  const { requestBody } = operationOf(authCalls.initiateRegistration)
  expect(requestBody?.content['application/json']?.example).toEqual({
    fullName: 'Asha Verma',
    personalEmail: 'learner-0001@example.com',
    mobileNumber: '9876543210',
    universityName: 'Eastbrook University',
    password: 'Monsoon-Lamp-47',
  })
})
