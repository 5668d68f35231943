import { expect, it } from 'vitest'
import { roleName } from './role-name.ts'

it.each([
  ['admin', 'Admin'],
  ['faculty', 'Faculty'],
  ['student', 'Student'],
  ['guest', 'guest'],
])('%s is shown as %s', (role, name) => expect(roleName(role)).toBe(name))
