import { initiateRegistration, resendCodes, verifyRegistration } from '@portal/contracts/auth/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guessablePasswords } from '../passwords/guessable-password.ts'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'

let portal: Harness
beforeAll(async () => {
  portal = await startHarness()
})
afterAll(() => portal.stop())

const long = 'x'.repeat(20_000)

type Rows = Parameters<Harness['refusals']>[1]

const expectRefusals = async (route: AnyRoute, valid: object, rows: Rows) => {
  const whole: Rows = rows.map(([change, message]) => [{ ...valid, ...Object(change) }, message])
  expect(await portal.refusals(route, whole)).toEqual(whole)
  expect(await portal.recorded()).toEqual([])
  expect([...portal.world.mails, ...portal.world.texts]).toEqual([])
}

test('[G-27 G-28 G-29 G-30 G-31 G-32 G-34 G-38] starting a registration needs valid details and a password that cannot be guessed', () =>
  expectRefusals(initiateRegistration, applicant, [
    [{ fullName: undefined }, 'Name is required'],
    [{ fullName: { first: 'A' } }, 'Name is required'],
    [{ fullName: 'x'.repeat(121) }, 'Name must be at most 120 characters'],
    [{ fullName: 'Asha\u0007' }, 'Name must not contain control characters'],
    [{ universityName: '' }, 'University Name is required'],
    [{ universityName: long }, 'University Name must be at most 120 characters'],
    [{ personalEmail: undefined }, 'Email is required'],
    [{ personalEmail: ['a@b.co'] }, 'Email is required'],
    [{ personalEmail: 'asha' }, 'Please enter a valid email address'],
    [{ personalEmail: 'a@b.co\r\nBcc: everybody@example.com' }, 'Please enter a valid email address'],
    [{ personalEmail: `${long}@example.com` }, 'Please enter a valid email address'],
    [{ personalEmail: 'asha@example.com,' }, 'Please enter a valid email address'],
    [{ personalEmail: 'asha@example..com' }, 'Please enter a valid email address'],
    [{ mobileNumber: undefined }, 'Mobile number is required'],
    [{ mobileNumber: '987654321' }, 'Mobile number must be exactly 10 digits'],
    [{ mobileNumber: '+9876543210' }, 'Mobile number must be exactly 10 digits'],
    [{ mobileNumber: '९८७६५४३२१' }, 'Mobile number must be exactly 10 digits'],
    [{ password: undefined }, 'Password is required'],
    [{ password: 'Ab1!' }, 'Password must be at least 8 characters long'],
    [{ password: 'lowercase1!' }, 'Password must contain at least one uppercase letter'],
    [{ password: 'UPPERCASE1!' }, 'Password must contain at least one lowercase letter'],
    [{ password: 'NoDigits!!' }, 'Password must contain at least one digit'],
    [{ password: 'NoSpecial11' }, 'Password must contain at least one special character'],
    [{ password: `Aa1!${long}` }, 'Password must be at most 128 characters'],
    [{ password: 'P@ssw0rd1' }, guessablePasswords.common],
    [{ password: 'Asha-verma-1' }, guessablePasswords.own],
  ]))

test('[G-36] verifying needs the contact and a code of six digits', () => {
  const entered = { email: applicant.personalEmail, mobileNumber: applicant.mobileNumber, otpEmail: '123456' }
  return expectRefusals(verifyRegistration, entered, [
    [{ email: undefined }, 'Email is required'],
    [{ email: 'asha' }, 'Please enter a valid email address'],
    [{ mobileNumber: '1' }, 'Mobile number must be exactly 10 digits'],
    [{ otpEmail: undefined }, 'Please enter at least one OTP (email or phone)'],
    [{ otpEmail: '' }, 'Please enter at least one OTP (email or phone)'],
    [{ otpEmail: '12345' }, 'OTP must be exactly 6 digits'],
    [{ otpEmail: 123456 }, 'OTP must be exactly 6 digits'],
    [{ otpEmail: { $gt: '' } }, 'OTP must be exactly 6 digits'],
    [{ otpMobile: long }, 'OTP must be exactly 6 digits'],
  ])
})

test('resending needs the contact and a channel', () => {
  const asked = { email: applicant.personalEmail, mobileNumber: applicant.mobileNumber, type: 'both' }
  return expectRefusals(resendCodes, asked, [
    [{ email: undefined }, 'Email is required'],
    [{ mobileNumber: undefined }, 'Mobile number is required'],
    [{ type: undefined }, 'type must be email, mobile or both'],
    [{ type: 'pigeon' }, 'type must be email, mobile or both'],
    [{ type: ['email'] }, 'type must be email, mobile or both'],
  ])
})
