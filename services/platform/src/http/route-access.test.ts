import type { Role } from '@portal/contracts/auth/user'
import { type ApiKeyRight, apiKeyRights } from '@portal/contracts/auth/api-key-rights'
import type { Access } from '@portal/contracts/shared/route'
import { expect, test } from 'vitest'
import { apiErrorOfAccess } from './route-access.ts'

type Case = readonly [access: Access, role: Role | undefined, code: string | undefined]
const cases: readonly Case[] = [
  ['public', undefined, undefined],
  ['public', 'student', undefined],
  ['public', 'faculty', undefined],
  ['public', 'admin', undefined],
  ['signed-in', undefined, 'unauthenticated'],
  ['signed-in', 'student', undefined],
  ['signed-in', 'faculty', undefined],
  ['signed-in', 'admin', undefined],
  ['admin', undefined, 'unauthenticated'],
  ['admin', 'student', 'forbidden'],
  ['admin', 'faculty', 'forbidden'],
  ['admin', 'admin', undefined],
]

test.each(cases)('a %s route and %s: %s', (access, role, code) => {
  for (const apiKey of [undefined, ...apiKeyRights])
    expect(apiErrorOfAccess({ access, apiKey }, role && { role })?.code).toBe(code)
})

test('an API key needs the right that the route names, whatever its admin may do', () => {
  const key = (...rights: ApiKeyRight[]) => ({ role: 'admin', rights }) as const
  const codeFor = (apiKey: ApiKeyRight | undefined, rights: readonly ApiKeyRight[], access: Access = 'admin') =>
    apiErrorOfAccess({ access, apiKey }, key(...rights))?.code
  for (const access of ['admin', 'signed-in'] as const) {
    expect(codeFor('send', ['send'], access)).toBeUndefined()
    expect(codeFor('send', ['read-results'], access)).toBe('forbidden')
    expect(codeFor('read-results', ['send', 'read-results'], access)).toBeUndefined()
    expect(codeFor(undefined, [...apiKeyRights], access)).toBe('forbidden')
    expect(codeFor('send', [], access)).toBe('forbidden')
  }
  expect(codeFor(undefined, [], 'public')).toBeUndefined()
})
