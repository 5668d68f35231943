import { expect, test } from 'vitest'
import { strictUserSchema, roleSchema, roles, userSchema } from './user.ts'

const user = {
  _id: '01930000-0000-7000-8000-00000000aaaa',
  fullName: 'Ananya Iyer',
  personalEmail: 'ananya@example.com',
  mobileNumber: '9876543210',
  universityName: 'Hill University',
  studentCode: 'MP26-00042',
  profileImage: '',
}

test('a known role is accepted', () => {
  expect(roles.map((role) => userSchema.parse({ ...user, role }).role)).toEqual(roles)
})

test('[G-40] any other role is that of a learner on the client, and rejected for recording and responses', () => {
  const others = ['alumna', 'Admin', 'ADMIN', 'administrator', '', null, undefined, 7, ['admin']]
  expect(others.filter((role) => userSchema.parse({ ...user, role }).role !== 'student')).toEqual([])
  expect(others.filter((role) => strictUserSchema.safeParse({ ...user, role }).success)).toEqual([])
  expect(others.filter((role) => roleSchema.safeParse(role).success)).toEqual([])
})
