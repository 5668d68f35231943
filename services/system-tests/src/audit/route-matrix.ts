import * as apiKeys from '@portal/contracts/auth/api-keys'
import { logOut } from '@portal/contracts/auth/http'
import { enrollInProgram } from '@portal/contracts/catalog/http'
import { allRoutes } from '@portal/contracts/route-table'
import { problemSchema } from '@portal/contracts/shared/problem'
import { type ApiKeyRight, apiKeyRights } from '@portal/contracts/auth/api-key-rights'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { parseJson } from '@portal/platform/files/parse-json'
import { callRoute } from '../testing/api-client.ts'
import { type AuditPortal, type AuditRole, roles } from './audit-portal.ts'
import { sendRaw } from './raw-http.ts'
import { createFailures, type AuditResult } from './audit-result.ts'

export const nameOf = ({ method, path }: AnyRoute): string => `${method} ${path}`

/** No resource has this id, so a permitted call changes nothing. */
const unknownId = '0199a7c0-0000-7000-8000-000000000000'

const auditRoles: readonly AuditRole[] = ['anonymous', ...roles]

/** How a request authenticates. `foreign` is a session cookie sent from a page of another site. */
const credentialKinds = ['bearer', 'cookie', 'foreign', 'forged'] as const
type CredentialKind = (typeof credentialKinds)[number]

/** Methods that no contract declares. */
const undeclaredMethods = ['PATCH', 'OPTIONS', 'PROPFIND', 'TRACE'] as const

const headersOf = (portal: AuditPortal, kind: CredentialKind, token: string | undefined): Record<string, string> => {
  if (kind === 'forged') return { authorization: `Bearer ${forge(token ?? 'e30.e30.')}` }
  if (token === undefined) return {}
  if (kind === 'bearer') return { authorization: `Bearer ${token}` }
  const origin = kind === 'cookie' ? portal.address : 'https://evil.example'
  return { cookie: `portal_session=${token}`, origin }
}

/** The claims of a valid token with the role raised to admin, and an invalid signature. */
const forge = (token: string): string => {
  const [, payload = '', signature = ''] = token.split('.')
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
  const raised = { ...(typeof claims === 'object' ? claims : {}), role: 'admin' }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return signature === ''
    ? `${encode({ alg: 'none' })}.${encode(raised)}.`
    : `${encode({ alg: 'ES256' })}.${encode(raised)}.${signature}`
}

type Verdict = 'unauthenticated' | 'forbidden' | 'let in'

const verdictOf = (status: number): Verdict =>
  status === 401 ? 'unauthenticated' : status === 403 ? 'forbidden' : 'let in'

/** The access that the contract declares, plus one rule: only learners enroll. */
const expectedOf = (route: AnyRoute, role: AuditRole, kind: CredentialKind): Verdict => {
  const known: AuditRole = kind === 'forged' ? 'anonymous' : role
  if (route.access !== 'public' && known === 'anonymous') return 'unauthenticated'
  if (route.access === 'admin' && known !== 'admin') return 'forbidden'
  if (kind === 'foreign' && known !== 'anonymous' && route.method !== 'GET') return 'forbidden'
  if (route === enrollInProgram && known !== 'student') return 'forbidden'
  return 'let in'
}

/** Creates a key with each right, as the admin. */
const createApiKeys = async ({ address, accounts: { admin } }: AuditPortal, token: string) => {
  const create = (right: ApiKeyRight) => {
    const body = { label: right, rights: [right], password: admin.password }
    return callRoute(address, apiKeys.createApiKey, { token, body })
  }
  const revoked = await create('send')
  await callRoute(address, apiKeys.revokeApiKey, { token, params: { id: revoked.apiKey.id } })
  const valid = apiKeyRights.map(async (right) => [right, (await create(right)).key] as const)
  return [['revoked', revoked.key] as const, ...(await Promise.all(valid))]
}

/** An API key acts for its admin where the contract names its right. On a public route it counts as nothing. */
const expectedOfApiKey = ({ access, apiKey }: AnyRoute, right: ApiKeyRight | 'revoked'): Verdict => {
  if (access === 'public') return 'let in'
  if (right === 'revoked') return 'unauthenticated'
  return apiKey === right ? 'let in' : 'forbidden'
}

/**
 * Calls each route as each role, with bearer token, cookie, cookie from a foreign site and forged token. Adds HEAD for
 * each GET.
 */
export const routeMatrix = async (portal: AuditPortal): Promise<AuditResult> => {
  const failures = createFailures()
  const tokens = { anonymous: undefined, ...(await portal.logInEach()) }
  const keys = await createApiKeys(portal, tokens.admin)
  let calls = 0

  const ask = async (route: AnyRoute, method: string, role: AuditRole, kind: CredentialKind) => {
    // A logout ends its own session.
    const token = route === logOut && role !== 'anonymous' ? await portal.logIn(role) : tokens[role]
    return send(route, method, headersOf(portal, kind, token))
  }

  const send = (route: AnyRoute, method: string, headers: Readonly<Record<string, string>>) => {
    const path = route.path.replaceAll(/:\w+/g, unknownId)
    calls += 1
    return sendRaw(portal.address, { method, path, headers })
  }

  const askWithKeys = async (route: AnyRoute): Promise<void> => {
    for (const [right, key] of keys) {
      const answer = await send(route, route.method, { authorization: `Bearer ${key}` })
      const expected = expectedOfApiKey(route, right)
      if (answer.status >= 500 || verdictOf(answer.status) !== expected)
        failures.add(`${nameOf(route)} with an API key, ${right}: ${answer.status}, not ${expected}`)
    }
  }

  for (const route of allRoutes) {
    await askWithKeys(route)
    for (const role of auditRoles)
      for (const kind of credentialKinds) {
        if (role === 'anonymous' && (kind === 'cookie' || kind === 'foreign')) continue
        const name = `${nameOf(route)} as ${role} by ${kind}`
        const expected = expectedOf(route, role, kind)
        // First, because a GET can use up what is limited.
        const head = route.method === 'GET' ? await ask(route, 'HEAD', role, kind) : undefined
        const answer = await ask(route, route.method, role, kind)
        const found = verdictOf(answer.status)
        if (found !== expected) failures.add(`${name}: ${answer.status}, not ${expected}: ${answer.text.slice(0, 120)}`)
        if (answer.status >= 500) failures.add(`${name}: ${answer.status}`)
        if (answer.status >= 400 && !problemSchema.safeParse(parseJson(answer.text)).success)
          failures.add(`${name}: ${answer.status} without a problem body`)
        if (head === undefined) continue
        if (head.status !== answer.status) failures.add(`HEAD ${name}: ${head.status}, GET ${answer.status}`)
        if (head.text !== '') failures.add(`HEAD ${name}: it has a body`)
      }
    for (const method of undeclaredMethods)
      for (const role of auditRoles) {
        const answer = await ask({ ...route }, method, role, 'bearer')
        if (answer.status < 400 || answer.status >= 500)
          failures.add(`${method} ${route.path} as ${role}: ${answer.status}, not refused`)
      }
  }
  return {
    name: 'routes by role',
    tried: `${allRoutes.length} routes × ${auditRoles.length} roles × bearer, cookie, foreign cookie, forged token; API keys; HEAD, ${undeclaredMethods.join(', ')}: ${calls.toLocaleString('en')} calls`,
    expected: 'what each contract declares; HEAD as GET; other methods refused',
    found: failures.count === 0 ? 'as declared' : `${failures.count} differences`,
    failures: failures.lines(),
  }
}
