import { describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'

const logged = (facts: object): string => {
  let line = ''
  createLogger({ level: 'info', destination: { write: (text) => void (line += text) } }).info(facts, 'message')
  return line
}

describe('a log entry', () => {
  it('is one line of JSON with its level and time', () => {
    const entry: unknown = JSON.parse(logged({ position: '0001', count: 3 }))
    expect(entry).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      position: '0001',
      count: 3,
      msg: 'message',
    })
  })
  it('never contains secrets or personal data, at any depth', () => {
    const secrets = {
      password: 'Hunter2!',
      currentPassword: 'Hunter2!',
      token: 'abcdef-token',
      otpEmail: '123456',
      otp: 654_321,
      code: '111222',
      authorization: 'Bearer abcdef-token',
      cookie: 'portal_session=abcdef-token',
      'set-cookie': ['portal_session=abcdef-token'],
      personalEmail: 'ann@example.com',
      mobileNumber: '9876543210',
      fullName: 'Ann Lee',
      tokens: ['ignored'],
    }
    const line = logged({ ...secrets, request: { headers: secrets, list: [{ body: secrets }] } })
    for (const secret of ['Hunter2', 'abcdef', '123456', '654321', '111222', 'ann@', '9876543210', 'Ann Lee']) {
      expect(line).not.toContain(secret)
    }
  })
  it('has only the message of an error that is meant for the operator', () => {
    class DiskFullError extends Error {
      override readonly name = 'DiskFullError'
      readonly isUserFacing = true
    }
    const err = new DiskFullError('inbox.db cannot be written', { cause: new Error('SQLITE_FULL') })
    expect(JSON.parse(logged({ err }))).toMatchObject({
      err: { type: 'DiskFullError', message: 'inbox.db cannot be written' },
    })
    expect(logged({ err })).not.toMatch(/stack|SQLITE_FULL/)
  })
  it('keeps the code of an error, and redacts addresses and tokens in its messages', () => {
    const cause = new Error('at smtp://user:hunter2@mail.example')
    const err = Object.assign(
      new Error('550 <ann@example.com> unknown, token eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl', { cause }),
      {
        code: 'EENVELOPE',
      },
    )
    const line = logged({ err })
    expect(line).toContain('EENVELOPE')
    expect(line).toContain('550 <')
    for (const secret of ['ann@', 'hunter2', 'eyJhbGciOi.']) expect(line).not.toContain(secret)
  })
  it('is limited in size', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const line = logged({ circle, list: Array.from({ length: 10_000 }, (_, i) => i), bytes: Buffer.alloc(10_000) })
    expect(line.length).toBeLessThan(2_000)
  })
})
