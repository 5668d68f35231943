import { describe, expect, test } from 'vitest'
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

describe('a role', () => {
  test.each(roles)('accepts %s', (role) => {
    expect(userSchema.parse({ ...user, role }).role).toBe(role)
  })

  test.each(['alumna', 'Admin', 'ADMIN', 'administrator', '', null, undefined, 7, ['admin']])(
    '[G-40] reads %j as a learner on the client, and rejects it for recording and responses',
    (role) => {
      expect(userSchema.parse({ ...user, role }).role).toBe('student')
      expect(strictUserSchema.safeParse({ ...user, role }).success).toBe(false)
      expect(roleSchema.safeParse(role).success).toBe(false)
    },
  )
})
