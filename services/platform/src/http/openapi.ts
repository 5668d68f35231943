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
 * Describes every bound call as OpenAPI. To be awaited before routes are bound: it sees only what comes after it. The schemas are those the calls are checked with; they are not handed to Fastify, which would check again.
 */
export const registerOpenApi = async (app: FastifyInstance, title: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: '1', description: 'The calls of the portal. Each of them answers JSON.' },
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

/** Shows the description at /docs and hands it out at /docs/json. */
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
  response: { 200: contract.promise ?? contract.response, ...problemsOf(contract) },
})

/** What a call does not have is `unknown` in its contract. */
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
