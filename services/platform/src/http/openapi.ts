import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { problemSchema } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sessionCookie } from '../session/cookies.ts'
import { httpStatusOf } from './problem.ts'

/**
 * Registers the OpenAPI document. Await it before routes are bound: it sees only later routes. The schemas are not passed to
 * Fastify, which would validate a second time.
 */
export const registerOpenApi = async (app: FastifyInstance, title: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: '1', description: 'The calls of the portal. They answer JSON, except for downloads.' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          cookie: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        },
      },
    },
    transform: (document) => {
      const contract = document.route.config?.contract
      const schema = contract ? describe(contract) : { hide: true }
      return jsonSchemaTransform({ ...document, schema })
    },
  })
}

/** Serves the document as a page at /docs and as JSON at /docs/json. */
export const serveDocs = async (app: FastifyInstance): Promise<void> => {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list' },
    theme: { title: 'Calls of the portal', css: [{ filename: 'theme.css', content: '.topbar { display: none }' }] },
  })
}

const describe = (contract: AnyRoute) => ({
  summary: contract.summary,
  tags: [tagOf(contract.path)],
  security: contract.access === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
  ...(contract.access === 'admin' && { description: 'For admins only.' }),
  ...part('params', contract.params),
  ...part('querystring', contract.query),
  ...part('headers', contract.headers),
  ...part('body', contract.body),
  response: { 200: success(contract), ...problemsOf(contract) },
})

const success = ({ contentType, response, strictResponse }: AnyRoute) => {
  const schema = strictResponse ?? response
  if (contentType === undefined) return schema
  const [mediaType = contentType] = contentType.split(';')
  return { description: 'A file', content: { [mediaType]: { schema } } }
}

/** A part that the route does not use is `unknown` in its contract. */
const part = (name: 'params' | 'querystring' | 'headers' | 'body', schema: z.ZodType) =>
  schema instanceof z.ZodUnknown ? {} : { [name]: schema }

const problem = problemSchema.describe('The request was refused: `code` says why, `message` says it to people.')

const problemsOf = ({ access, params, query, headers, body }: AnyRoute): Record<number, z.ZodType> => ({
  ...([params, query, headers, body].some((schema) => !(schema instanceof z.ZodUnknown)) && {
    [httpStatusOf('invalid')]: problem,
  }),
  ...(access !== 'public' && { [httpStatusOf('unauthenticated')]: problem }),
  ...(access === 'admin' && { [httpStatusOf('forbidden')]: problem }),
})

/** `/admin/users` → 'users', `/auth/login` → 'auth'. */
const tagOf = (path: string): string => {
  const [first = '', second] = path.split('/').filter((segment) => segment !== '')
  return (first === 'admin' || first === 'api') && second !== undefined ? second : first
}
