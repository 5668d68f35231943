import type { KeyRing } from '@portal/platform/http/key-ring'
import type { FastifyInstance } from 'fastify'

/** Long enough to spare us the asking, short enough for a rotation. */
const maxAgeSeconds = 300

/** The public halves of the keys that session tokens are signed with, for whoever checks them elsewhere. */
export const serveSigningKeys = (app: FastifyInstance, keyRing: Pick<KeyRing, 'jwks'>): void => {
  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/jwk-set+json; charset=utf-8')
      .header('cache-control', `public, max-age=${maxAgeSeconds}`)
      .send(JSON.stringify(keyRing.jwks())),
  )
}
