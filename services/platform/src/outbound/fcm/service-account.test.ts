import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../../settings/config.ts'
import { readServiceAccount } from './service-account.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-account-'))
  file = join(folder, 'account.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const complaint = (content?: string): string => {
  if (content !== undefined) writeFileSync(file, content)
  try {
    readServiceAccount(file)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'none'
}

describe('the service account', () => {
  it("is read from the console's file, ignoring other fields", () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const account = { type: 'service_account', project_id: 'portal', client_email: 'push@portal', private_key: pem }
    writeFileSync(file, JSON.stringify(account))
    expect(readServiceAccount(file)).toEqual({ projectId: 'portal', clientEmail: 'push@portal', privateKey: pem })
  })
  it('is rejected in one line that shows no key', () => {
    const expected =
      'FCM_SERVICE_ACCOUNT_FILE must name a service account file, as downloaded from the Firebase console'
    expect(complaint()).toBe(`${expected}; ${file} cannot be read (ENOENT)`)
    expect(complaint('{')).toBe(`${expected}; ${file} is not JSON`)
    expect(complaint('[]')).toBe(`${expected}; ${file} lacks a JSON object`)
    expect(complaint(JSON.stringify({ project_id: 'p', client_email: 'c', private_key: 'hunter2' }))).toBe(
      `${expected}; ${file} lacks a usable private_key`,
    )
  })
})
