import type { Role } from '@portal/contracts/auth/user'
import type { Access } from '@portal/contracts/shared/route'
import { expect, test } from 'vitest'
import { apiErrorOfAccess } from './bind-route.ts'

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
  expect(apiErrorOfAccess(access, role && { role })?.code).toBe(code)
})
