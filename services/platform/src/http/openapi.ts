import swagger from '@fastify/swagger'
import { problemSchema } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sessionCookie } from '../session/cookies.ts'
import { headersOf } from './answer-once.ts'
import { completeOperation } from './openapi-answers.ts'

export type DocumentInfo = {
  readonly title: string
  readonly version: string
  /** Markdown. */
  readonly description: string
}

/**
 * Registers the OpenAPI document. Await it before routes are bound: it sees only later routes. The schemas are not passed to
 * Fastify, which would validate a second time.
 */
export const registerOpenApi = async (app: FastifyInstance, info: DocumentInfo): Promise<void> => {
  /** Contracts by path and method, as the document writes them. */
  const contracts = new Map<string, AnyRoute>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          cookie: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'pk_…', description: 'An API key of an admin' },
        },
      },
    },
    transform: (document) => {
      const contract = document.route.config?.contract
      if (contract) contracts.set(keyOf(contract), contract)
      const schema = contract ? describe(contract) : { hide: true }
      return jsonSchemaTransform({ ...document, schema })
    },
    transformObject: (document) => {
      const { paths, components, ...rest } = documentSchema.parse(
        'openapiObject' in document ? document.openapiObject : {},
      )
      const completed = Object.entries(paths).map(([path, operations]) => {
        const entries = Object.entries(operations).map(([method, operation]) => {
          const contract = contracts.get(`${method} ${path}`)
          return [method, contract ? completeOperation(operation, contract) : operation]
        })
        return [path, Object.fromEntries(entries)]
      })
      const { $schema: _, ...Problem } = z.toJSONSchema(problemSchema)
      return { ...rest, components: { ...components, schemas: { Problem } }, paths: Object.fromEntries(completed) }
    },
  })
}

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({}),
})

const keyOf = ({ method, path }: AnyRoute): string => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`

const describe = (contract: AnyRoute) => ({
  summary: contract.summary,
  tags: [tagOf(contract.path)],
  security:
    contract.access === 'public'
      ? []
      : [{ bearer: [] }, { cookie: [] }, ...(contract.apiKey === undefined ? [] : [{ apiKey: [] }])],
  ...describeAccess(contract),
  ...part('params', contract.params),
  ...part('querystring', contract.query),
  ...part('headers', headersOf(contract)),
  ...part('body', contract.body),
  response: { 200: success(contract) },
})

const describeAccess = ({ access, apiKey }: AnyRoute) => {
  const required = [
    ...(access === 'admin' ? ['Requires the role admin.'] : []),
    ...(apiKey === undefined ? [] : [`An API key needs the right ${apiKey}.`]),
  ]
  return required.length === 0 ? {} : { description: required.join(' ') }
}

const success = ({ contentType, response, strictResponse }: AnyRoute) => {
  const schema = strictResponse ?? response
  if (contentType === undefined) return schema
  const [mediaType = contentType] = contentType.split(';')
  return { description: 'A file', content: { [mediaType]: { schema } } }
}

/** A part that the route does not use is `unknown` in its contract. */
const part = (name: 'params' | 'querystring' | 'headers' | 'body', schema: z.ZodType) =>
  schema instanceof z.ZodUnknown ? {} : { [name]: schema }

/** `/admin/users` → 'users', `/auth/login` → 'auth'. */
const tagOf = (path: string): string => {
  const [first = '', second] = path.split('/').filter((segment) => segment !== '')
  return (first === 'admin' || first === 'api') && second !== undefined ? second : first
}
