import { expect, it } from 'vitest'
import { parseRedisAddress } from './address.ts'

it('RM-65 parses every setting from the address', () => {
  expect(parseRedisAddress('redis://127.0.0.1')).toEqual({
    host: '127.0.0.1',
    port: 6_379,
    tls: false,
    username: undefined,
    password: undefined,
    database: 0,
    cluster: false,
    prefix: 'portal',
  })
  expect(parseRedisAddress('rediss://portal:a%40b%2Fc@[::1]:7000/3?prefix=t1')).toEqual({
    host: '::1',
    port: 7_000,
    tls: true,
    username: 'portal',
    password: 'a@b/c',
    database: 3,
    cluster: false,
    prefix: 't1',
  })
  expect(parseRedisAddress('redis://h:7000?cluster=true')).toMatchObject({ host: 'h', cluster: true })
})

it('RM-65 reports what is wrong with an address without repeating it', () => {
  const wrong = [
    'redis://:secret@h:port',
    'redis://:secret@',
    'http://:secret@h',
    'redis://:%secret@h',
    'redis://:secret@h/main',
    'redis://:secret@h?prefix={secret}',
    'redis://:secret@h?cluster=secret',
    'redis://:secret@h/1?cluster=true',
  ]
  for (const url of wrong) {
    expect(() => parseRedisAddress(url)).toThrow(/^READ_MODEL_URL: (?!.*secret)/)
  }
  expect(() => parseRedisAddress('redis://:secret@h?tls=true')).toThrow("'tls' is not known")
})
