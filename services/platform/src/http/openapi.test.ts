import * as authCalls from '@portal/contracts/auth/http'
import * as catalogCalls from '@portal/contracts/catalog/http'
import * as notificationCalls from '@portal/contracts/notifications/http'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { rejected } from '../decider/decider.ts'
import { makeBindRoute } from './bind-route.ts'
import { createHttpApp } from './create-app.ts'
import { registerOpenApi, serveDocs } from './openapi.ts'
import { apiErrors } from './problem.ts'

const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
})

it('documents every bound route by its contract, and nothing else', async () => {
  const app = createHttpApp({ logger: pino({ level: 'silent' }) })
  await registerOpenApi(app, 'Portal')
  await serveDocs(app)
  app.get('/health', async () => ({}))
  const bind = makeBindRoute({ sessions: { verify: async () => undefined }, validateResponses: true })
  const modules = [authCalls, catalogCalls, notificationCalls].flatMap((module) => Object.values(module))
  const routes = modules.flatMap((value) => (typeof value === 'object' && 'access' in value ? [value] : []))
  for (const route of routes) bind(app, route, async () => rejected(apiErrors.forbidden))

  const answer = await app.inject({ url: '/docs/json' })
  const document = documentSchema.parse(answer.json())
  expect(document.openapi).toBe('3.1.0')
  const described = Object.entries(document.paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const expected = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(described.toSorted()).toEqual(expected.toSorted())

  expect(document.paths['/notifications/send']?.['post']).toMatchObject({
    summary: 'Send a notification to selected users, or to those whom a rule selects',
    tags: ['notifications'],
    security: [{ bearer: [] }, { cookie: [] }],
    requestBody: {
      content: { 'application/json': { schema: { required: ['title', 'message'], type: 'object' } } },
    },
    responses: { 200: expect.anything(), 400: expect.anything(), 401: expect.anything(), 403: expect.anything() },
  })
  expect(document.paths['/notifications/send']?.['post']).toMatchObject({
    parameters: [{ in: 'header', name: 'idempotency-key', required: false }],
  })
  expect(document.paths['/notifications']?.['get']).toMatchObject({
    parameters: [
      { in: 'query', name: 'page', required: false },
      { in: 'query', name: 'limit', required: false },
      { in: 'query', name: 'filter', required: false },
      { in: 'query', name: 'type', required: false },
      { in: 'query', name: 'q', required: false },
    ],
  })
  expect(document.paths['/notifications/{id}/recipients.csv']?.['get']).toMatchObject({
    responses: { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } },
  })
  expect(document.paths['/auth/login']?.['post']).toMatchObject({ security: [] })
  expect((await app.inject({ url: '/docs/' })).headers['content-type']).toContain('text/html')
  await app.close()
})
