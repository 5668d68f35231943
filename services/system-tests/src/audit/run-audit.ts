import { type AuditPortal, startAuditPortal } from './audit-portal.ts'
import { guessCodes } from './code-guesses.ts'
import { fuzzPackets } from './fuzz-packets.ts'
import { fuzzRequests } from './fuzz-requests.ts'
import { routeMatrix } from './route-matrix.ts'
import type { AuditResult } from './audit-result.ts'
import { renderHostileTexts } from './render-hostile-texts.ts'
import { socketMatrix } from './socket-matrix.ts'
import { forgotPasswordTiming, logInTiming } from './timing.ts'

type Options = {
  readonly scale: Scale
  readonly seed: number
  readonly only?: readonly string[] | undefined
  say(line: string): void
}

const secondsSince = (startedAtMs: number): string => `${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`

const chosenOf = ({ only }: Options) => Object.entries(audits).filter(([name]) => only?.includes(name) ?? true)

const runRow = async (
  [name, audit]: ReturnType<typeof chosenOf>[number],
  portal: AuditPortal,
  { scale, seed, say }: Options,
): Promise<AuditResult> => {
  const startedAtMs = performance.now()
  const row = await audit({ portal, scale, seed })
  const ended = portal.ended()
  say(`${name}: ${secondsSince(startedAtMs)}`)
  return ended === undefined ? row : { ...row, failures: [...row.failures, ended] }
}

const onPortal = async <T>({ learners }: Scale, run: (portal: AuditPortal) => Promise<T>): Promise<T> => {
  const portal = await startAuditPortal(learners)
  try {
    return await run(portal)
  } finally {
    await portal.stop()
  }
}

/** Runs each audit on its own portal, so that none is affected by data or limits of another. */
export const runAudit = async (options: Options): Promise<readonly AuditResult[]> => {
  const rows: AuditResult[] = []
  for (const chosen of chosenOf(options))
    rows.push(await onPortal(options.scale, (portal) => runRow(chosen, portal, options)))
  return rows
}

/** Runs the audits in sequence on one portal, which is faster. Small runs stay below every limit. */
export const runAuditOnOnePortal = (options: Options): Promise<readonly AuditResult[]> =>
  onPortal(options.scale, async (portal) => {
    const rows: AuditResult[] = []
    for (const chosen of chosenOf(options)) rows.push(await runRow(chosen, portal, options))
    return rows
  })

type Audit = { readonly portal: AuditPortal; readonly scale: Scale; readonly seed: number }

/** Audits in the order of execution: those that fill the portal with data come last. */
export const audits: Readonly<Record<string, (audit: Audit) => Promise<AuditResult>>> = {
  /** The answer of every route to every role is what the contract's `access` says, and HEAD is answered like GET. */
  routes: ({ portal }) => routeMatrix(portal),
  /** Only sessions connect, only the recipient receives a send, and only admins its progress. */
  sockets: ({ portal }) => socketMatrix(portal),
  /** The median difference between a known and an unknown account is at most four standard errors, or 0.25 ms. */
  'log-in-timing': ({ portal, scale }) => logInTiming(portal, scale.logInPairs),
  'forgot-timing': ({ portal, scale }) => forgotPasswordTiming(portal, scale.forgotPairs),
  /** No guess at a code succeeds, and at most five are compared, though each has another address. */
  guesses: ({ portal, scale, seed }) => guessCodes(portal, scale.guesses, seed),
  /** No crash, another learner receives the next send, and the heap returns to its level. */
  packets: ({ portal, scale, seed }) => fuzzPackets(portal, scale.packets, seed),
  /** No text runs, opens a dialog or a frame, or becomes an address that runs. */
  texts: ({ portal, scale }) => renderHostileTexts(portal, scale.hostileTexts),
  /** No 5xx and no crash, rejections are problem bodies without stack traces, and the heap returns to its level. */
  requests: ({ portal, scale, seed }) => fuzzRequests(portal, scale.requests, seed),
}

/** Size of each audit. */
type Scale = {
  readonly learners: number
  readonly requests: number
  readonly packets: number
  readonly hostileTexts: number
  readonly guesses: number
  readonly logInPairs: number
  readonly forgotPairs: number
}

export const fullScale: Scale = {
  learners: 200,
  requests: 20_000,
  packets: 20_000,
  hostileTexts: 200,
  guesses: 10_000,
  logInPairs: 300,
  forgotPairs: 300,
}

export const quickScale: Scale = {
  learners: 24,
  requests: 600,
  packets: 600,
  hostileTexts: 10,
  guesses: 300,
  logInPairs: 30,
  forgotPairs: 30,
}
