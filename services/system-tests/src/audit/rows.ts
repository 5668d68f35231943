import type { AuditPortal } from './audit-portal.ts'
import { guessCodes } from './code-guesses.ts'
import { fuzzPackets } from './fuzz-packets.ts'
import { fuzzRequests } from './fuzz-requests.ts'
import { routeMatrix } from './route-matrix.ts'
import type { Row } from './row.ts'
import type { Scale } from './scale.ts'
import { showHostileTexts } from './show-texts.ts'
import { socketMatrix } from './socket-matrix.ts'
import { forgotPasswordTiming, logInTiming } from './timing.ts'

export type Audit = { readonly portal: AuditPortal; readonly scale: Scale; readonly seed: number }

/** In the order in which they run: what fills a portal with anything comes last. */
export const audits: Readonly<Record<string, (audit: Audit) => Promise<Row>>> = {
  routes: ({ portal }) => routeMatrix(portal),
  sockets: ({ portal }) => socketMatrix(portal),
  'log-in-timing': ({ portal, scale }) => logInTiming(portal, scale.logInPairs),
  'forgot-timing': ({ portal, scale }) => forgotPasswordTiming(portal, scale.forgotPairs),
  guesses: ({ portal, scale, seed }) => guessCodes(portal, scale.guesses, seed),
  packets: ({ portal, scale, seed }) => fuzzPackets(portal, scale.packets, seed),
  texts: ({ portal, scale }) => showHostileTexts(portal, scale.hostileTexts),
  requests: ({ portal, scale, seed }) => fuzzRequests(portal, scale.requests, seed),
}
