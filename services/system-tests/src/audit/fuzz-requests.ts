import { allRoutes } from '@portal/contracts/route-table'
import { logOut } from '@portal/contracts/auth/http'
import { problemSchema } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import { parseJson } from '@portal/platform/files/parse-json'
import fc from 'fast-check'
import type { z } from 'zod'
import { type AuditPortal, type AuditRole, expectStillHealthy, memoryTolerance, roles } from './audit-portal.ts'
import { sendRaw, callerAddress, type RawResponse, type RawRequest } from './raw-http.ts'
import { hostileJson, hostileText } from './hostile-values.ts'
import { nameOf } from './route-matrix.ts'
import { createFailures, type AuditResult } from './audit-result.ts'
import { arbitraryFor, isUnspecified } from './schema-arbitraries.ts'

const atOnce = 8
/** Requests generated per batch and route. */
const batch = 25

type Fuzzed = { readonly route: AnyRoute; readonly role: AuditRole; readonly call: RawRequest }

const methodsOf = ({ method }: AnyRoute) => (method === 'GET' ? ['GET', 'GET', 'GET', 'HEAD'] : [method])

/** An existing id, an unknown one, or arbitrary text. */
const segments = (portal: AuditPortal): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...portal.knownIds) },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 3, arbitrary: hostileText },
  )

/** Path segments as sent over the wire, some with encodings that no client produces. */
const encodedSegments = (portal: AuditPortal): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: segments(portal).map((text) => encodeURIComponent(text.toWellFormed().slice(0, 2_000)) || '-'),
    },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%00', '%ff%fe', '..%2f..', ';', '%c0%ae', ':id', '*', '%20') },
  )

const queries = (schema: z.ZodType): fc.Arbitrary<string> => {
  if (isUnspecified(schema)) return fc.constantFrom('', '', '', '?x=1', '?__proto__[x]=1')
  const pairs = arbitraryFor(schema, []).map((value) => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [['page', String(value)]]
    const text = entries.map(([name, one]) => {
      const shown = typeof one === 'object' ? JSON.stringify(one) : String(one)
      return `${encodeURIComponent(String(name).toWellFormed())}=${encodeURIComponent(shown.toWellFormed().slice(0, 2_000))}`
    })
    return text.length === 0 ? '' : `?${text.join('&')}`
  })
  return fc.oneof(
    { weight: 9, arbitrary: pairs },
    {
      weight: 1,
      arbitrary: fc.constantFrom('?page=1&page=2', '?page[]=1', '?page[a]=1', '?%zz', '?&&&', '?page', '??'),
    },
  )
}

const bodies = (route: AnyRoute, portal: AuditPortal): fc.Arbitrary<string | undefined> => {
  if (isUnspecified(route.body)) return fc.oneof(fc.constant(undefined), fc.constant(undefined), hostileJson)
  return fc.oneof(
    { weight: 12, arbitrary: arbitraryFor(route.body, portal.knownIds).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileJson },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

const headerText = (text: string): string => text.replaceAll(/[^\t\x20-\x7e]/g, '?').slice(0, 2_000)

/** Headers of every request, in addition to those of the route schema. */
const headerLists: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'x', ''),
    ),
    'x-request-id': hostileText.map(headerText),
    traceparent: fc.oneof(hostileText.map(headerText), fc.constant(`00-${'0'.repeat(32)}-${'0'.repeat(16)}-ff`)),
    cookie: hostileText.map((text) => `portal_session=${headerText(text)}; portal_registration=${headerText(text)}`),
    origin: fc.constantFrom('null', 'https://evil.example', 'javascript:alert(1)', '::'),
    'accept-encoding': hostileText.map(headerText),
    'if-none-match': hostileText.map(headerText),
    'x-forwarded-host': fc.constant('evil.example'),
    'x-http-method-override': fc.constantFrom('DELETE', 'PUT'),
  },
  { requiredKeys: ['content-type'] },
)

const routeHeaders = (schema: z.ZodType): fc.Arbitrary<Readonly<Record<string, string>>> =>
  isUnspecified(schema)
    ? fc.constant({})
    : arbitraryFor(schema, []).map((value) =>
        Object.fromEntries(
          Object.entries(typeof value === 'object' && value !== null ? value : {})
            .filter(([name]) => /^[a-z-]+$/.test(name))
            .map(([name, one]) => [name, headerText(String(JSON.stringify(one)))]),
        ),
      )

const fuzzedCalls = (route: AnyRoute, portal: AuditPortal): fc.Arbitrary<Fuzzed> => {
  const names = route.path.match(/:\w+/g) ?? []
  // A successful logout would end the session of all later requests.
  const asked: readonly AuditRole[] = route === logOut ? ['anonymous'] : ['anonymous', ...roles, 'admin']
  return fc
    .record({
      method: fc.constantFrom(...methodsOf(route)),
      role: fc.constantFrom(...asked),
      segments: fc.tuple(...names.map(() => encodedSegments(portal))),
      query: queries(route.query),
      headers: fc.tuple(headerLists, routeHeaders(route.headers)),
      body: bodies(route, portal),
    })
    .map(({ method, role, segments: filled, query, headers: [general, own], body }) => {
      let at = 0
      const path = route.path.replaceAll(/:\w+/g, () => filled[at++] ?? '-') + query
      return { route, role, call: { method, path, headers: { ...general, ...own }, body } }
    })
}

const insides = /node_modules|file:\/\/|\bat [\w.<>]+ \(|\/services\/|SQLITE_|ZodError|TypeError/

/** Why a response is a defect; undefined if it is not. */
const defectOf = ({ route, call: sent }: Fuzzed, answer: RawResponse): string | undefined => {
  const what = `${sent.method} ${sent.path.slice(0, 120)} (${nameOf(route)}) ${(sent.body ?? '').slice(0, 160)}`
  if (answer.status >= 500) return `${answer.status}: ${what}`
  if (answer.status < 200) return `no status: ${what}`
  if (sent.method === 'HEAD') return answer.text === '' ? undefined : `HEAD with a body: ${what}`
  if (answer.status < 400) return undefined
  if (insides.test(answer.text)) return `the answer shows insides: ${what}: ${answer.text.slice(0, 200)}`
  const isProblem = problemSchema.safeParse(parseJson(answer.text)).success
  return isProblem ? undefined : `${answer.status} without a problem body: ${what}: ${answer.text.slice(0, 120)}`
}

/** Sends random requests from the contract schemas as every role: valid, nearly valid and hostile. */
export const fuzzRequests = async (portal: AuditPortal, requests: number, seed: number): Promise<AuditResult> => {
  const failures = createFailures()
  const statuses = new Map<number, number>()
  const tokens = await portal.logInEach()
  let sent = 0

  const send = async (fuzzed: Fuzzed) => {
    const { role, call: one } = fuzzed
    sent += 1
    const authorization = role === 'anonymous' ? {} : { authorization: `Bearer ${tokens[role]}` }
    const headers = { ...one.headers, ...authorization, 'x-forwarded-for': callerAddress(sent) }
    try {
      const answer = await sendRaw(portal.address, { ...one, headers })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const defect = defectOf(fuzzed, answer)
      if (defect !== undefined) failures.add(defect)
    } catch (error) {
      // The portal may reset the connection while it rejects a large body, but must keep running.
      const isCut = error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      if (!isCut || portal.ended() !== undefined)
        failures.add(`no answer to ${one.method} ${one.path.slice(0, 120)}: ${String(error)}`)
      statuses.set(0, (statuses.get(0) ?? 0) + 1)
    }
  }

  const run = async (count: number, from: number) => {
    const batches = Math.ceil(count / batch)
    for (let n = 0; n < batches; n++) {
      const route = allRoutes[n % allRoutes.length]
      if (!route) throw new Error('the contracts have no route')
      const calls = fc.sample(fuzzedCalls(route, portal), {
        seed: from + n,
        numRuns: Math.min(batch, count - n * batch),
      })
      await forEachConcurrently(atOnce, calls, send)
      if (portal.ended() !== undefined) return
    }
  }

  const heap = await expectStillHealthy(portal, failures, { total: requests, seed, run })
  const answered = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  return {
    name: 'fuzzed requests',
    tried: `${sent.toLocaleString('en')} requests from the schemas of ${allRoutes.length} routes, seed ${seed}`,
    expected: `no 5xx, no crash, every refusal a problem body without insides; ${memoryTolerance}`,
    found: `${answered.join(', ')} (0: cut off); ${heap}`,
    failures: failures.lines(),
    exceeded: failures.exceeded(),
  }
}
