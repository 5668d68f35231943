import { describe, expect, it } from 'vitest'
import { profileForm, changesPassword } from './profile-form.ts'

const form = { fullName: 'Ananya Iyer', currentPassword: '', newPassword: '', confirmPassword: '' }

const errorsOf = (fields: Partial<typeof form>) =>
  Object.fromEntries(
    (profileForm.safeParse({ ...form, ...fields }).error?.issues ?? []).map(({ path, message }) => [path[0], message]),
  )

const weak = 'Password must be at least 8 characters, include uppercase, lowercase, number, and special character.'
const [old, good] = ['Secret#1x', 'Better#2y']

describe('the profile form', () => {
  it('[X-20] requires only the name, which it trims, if no password is typed', () => {
    expect(errorsOf({})).toEqual({})
    expect(changesPassword(form)).toBe(false)
    expect(errorsOf({ fullName: '  ' })).toEqual({ fullName: 'Name is required' })
    expect(profileForm.parse({ ...form, fullName: '  Ananya ' }).fullName).toBe('Ananya')
  })

  it.each([
    [{ newPassword: good, confirmPassword: good }, { currentPassword: 'Please enter your current password.' }],
    [{ currentPassword: old }, { newPassword: 'Please enter a new password.' }],
    [
      { confirmPassword: good },
      { currentPassword: 'Please enter your current password.', newPassword: 'Please enter a new password.' },
    ],
    [{ currentPassword: old, newPassword: 'short', confirmPassword: 'short' }, { newPassword: weak }],
    [{ currentPassword: old, newPassword: 'alllowercase1#', confirmPassword: '' }, { newPassword: weak }],
    [{ currentPassword: old, newPassword: good, confirmPassword: old }, { confirmPassword: "Passwords don't match!" }],
    [{ currentPassword: old, newPassword: good, confirmPassword: good }, {}],
  ])('[X-16 X-17 X-18 X-19] shows for %j the errors %j', (fields, errors) => {
    expect(errorsOf(fields)).toEqual(errors)
  })
})
