import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { initiateRegistration, logIn, verifyRegistration } from '@portal/contracts/auth/http'
import { problemSchema } from '@portal/contracts/shared/problem'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import { z } from 'zod'
import { eventually, readDevMailbox } from '../testing/portal-process.ts'
import type { AuditPortal } from './audit-portal.ts'
import { sendRaw, callerAddress } from './raw-http.ts'
import { createFailures, type AuditResult } from './audit-result.ts'

const atOnce = 64
/** Wrong codes that may be compared with the sent one; see services/auth/src/registration/code-limits.ts. */
const allowedAttempts = 5
/** Share of guesses after which some are right: by then the attempts are used up. */
const rightAfter = 0.5
const rightEvery = 50

const victim = {
  fullName: 'Grace Victim',
  personalEmail: 'grace@victim.example',
  mobileNumber: '9123456780',
  universityName: 'Eastbrook University',
  password: 'Quiet-harbor-71',
}

const json = { 'content-type': 'application/json' }

/** Recorded wrong codes. All guesses get the same response, so the responses do not show it. */
const wrongCodesOnRecord = (dataDir: string): number => {
  const log = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true })
  try {
    const row = log.prepare(`SELECT count(*) AS count FROM events WHERE type = 'WrongCodesEntered'`).get()
    return z.object({ count: z.number() }).parse(row).count
  } finally {
    log.close()
  }
}

/** Guesses the code of one registration from many addresses. In the second half, some guesses are right. */
export const guessCodes = async (portal: AuditPortal, guesses: number, seed: number): Promise<AuditResult> => {
  const failures = createFailures()
  const begun = await sendRaw(portal.address, {
    method: initiateRegistration.method,
    path: initiateRegistration.path,
    headers: { ...json, 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify(victim),
  })
  if (begun.status !== 200) throw new Error(`initiating the registration failed: ${begun.text}`)
  const right = await eventually(
    'the code was sent',
    async () =>
      (await readDevMailbox(portal.dataDir)).find(({ to, code }) => to === victim.personalEmail && code !== undefined)
        ?.code,
  )
  const answers = new Map<string, number>()

  const guessAt = (index: number): string => {
    if (index > guesses * rightAfter && index % rightEvery === 0) return right
    const guess = String((seed * 7_919 + index * 101) % 1_000_000).padStart(6, '0')
    return guess === right ? '000000' : guess
  }

  await forEachConcurrently(atOnce, Array(guesses).keys(), async (index) => {
    const answer = await sendRaw(portal.address, {
      method: verifyRegistration.method,
      path: verifyRegistration.path,
      headers: { ...json, 'x-forwarded-for': callerAddress(index) },
      body: JSON.stringify({
        email: victim.personalEmail,
        mobileNumber: victim.mobileNumber,
        otpEmail: guessAt(index),
      }),
    })
    if (answer.status < 400) {
      failures.add(`guess ${index} was right: ${answer.text}`)
      return
    }
    if (answer.status >= 500) failures.add(`guess ${index}: ${answer.status} ${answer.text}`)
    const { code } = problemSchema.parse(JSON.parse(answer.text))
    answers.set(code, (answers.get(code) ?? 0) + 1)
  })
  const compared = wrongCodesOnRecord(portal.dataDir)
  if (compared > allowedAttempts) failures.add(`${compared} codes were compared, ${allowedAttempts} are allowed`)
  const loggedIn = await sendRaw(portal.address, {
    method: logIn.method,
    path: logIn.path,
    headers: json,
    body: JSON.stringify({ personalEmail: victim.personalEmail, password: victim.password }),
  })
  if (loggedIn.status < 400) failures.add('the registration was completed')
  const found = [...answers].map(([code, count]) => `${code}: ${count.toLocaleString('en')}`)
  return {
    name: 'code guesses',
    tried: `${guesses.toLocaleString('en')} guesses at one registration, ${atOnce} at once, each from an address of its own; right ones among them after half`,
    expected: `none succeeds, at most ${allowedAttempts} are compared with the code, no 5xx`,
    found: `${compared} compared; ${found.join(', ')}`,
    failures: failures.lines(),
  }
}
