import { expect, it } from 'vitest'
import { chooseShell } from './choose-shell.ts'

it.each([
  ['/home', undefined, 'landing'],
  ['/login', undefined, 'login'],
  ['/', undefined, 'login'],
  ['/notification', undefined, 'login'],
  ['/register', undefined, 'register'],
  ['/reset-password', undefined, 'reset'],
  ['/home', 'student', 'home'],
  ['/', 'student', 'home'],
  ['/login', 'student', 'home'],
  ['/notification', 'student', 'inbox'],
  ['/notification/1', 'student', 'learner'],
  ['/my-program', 'student', 'learner'],
  ['/program-details-active/1', 'student', 'learner'],
  ['/faculty/dashboard', 'faculty', 'learner'],
  ['/login', 'faculty', 'learner'],
  ['/home', 'faculty', 'home'],
  ['/admin/programs', 'admin', 'admin'],
  ['/home', 'admin', 'admin'],
  ['/terms', undefined, undefined],
  ['/privacy', 'admin', undefined],
] as const)('%s as %s starts with the shell of the page that opens there: %s', (path, role, kind) => {
  expect(chooseShell(path, role)).toBe(kind)
})
