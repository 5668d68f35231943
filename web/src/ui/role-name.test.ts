import { expect, it } from 'vitest'
import { roleName } from './role-name.ts'

it.each([
  ['admin', 'Admin'],
  ['faculty', 'Faculty'],
  ['student', 'Student'],
  ['guest', 'guest'],
])('shows the role %s as %s', (role, name) => expect(roleName(role)).toBe(name))
