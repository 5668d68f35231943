import type { FastifyInstance } from 'fastify'
import type { KeyRing } from './key-ring.ts'

/** Long enough to spare us the asking, short enough for a rotation. */
const maxAgeSeconds = 300

export const signingKeysPath = '/.well-known/jwks.json'

/** The public halves of the keys that session tokens are signed with, for whoever checks them elsewhere. */
export const serveSigningKeys = (app: FastifyInstance, keyRing: Pick<KeyRing, 'jwks'>): void => {
  app.get(signingKeysPath, async (_request, reply) =>
    reply
      .header('content-type', 'application/jwk-set+json; charset=utf-8')
      .header('cache-control', `public, max-age=${maxAgeSeconds}`)
      .send(JSON.stringify(keyRing.jwks())),
  )
}
